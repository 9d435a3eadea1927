import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openRootsClient } from './ask-roots.ts';
import { type NodeQuestion, serveNode } from './cluster-node.ts';
import { type ContestantName, serveContestant } from './http-contestants.ts';
import { load, type LoadClient, openLoadClient } from './http-load.ts';
import { measureOutages } from './outages.ts';
import { pinProcess } from './pin-process.ts';
import { type RedisProcess, startRedis } from './redis-process.ts';
import type { Measurement, Suite } from './suite.ts';

/**
 * What do sessions on Redis cost? Needs `redis-server`; it is started on a free port and stopped. Where there are
 * two cores and `taskset`, the server that is measured has one for itself; Redis and the clients share the other.
 */
export const clusterSuite: Suite = {
  name: 'cluster',
  async run() {
    await using redis = await startRedis();
    pinProcess(redis.pid, 'others');
    pinProcess(process.pid, 'others');
    const results: Measurement[] = [];
    for (const sessions of [10, 100, 1_000]) results.push(...(await compareCalls(redis, sessions)));
    results.push(...(await nodesTogether(redis)), ...(await measureOutages()));
    return results;
  },
};

/** The first ones warm both up and do not count. */
const warming = 4;
const rounds = 8;
/** Calls per second on one node, against the SDK with its sessions in memory. */
async function compareCalls(redis: RedisProcess, count: number): Promise<readonly Measurement[]> {
  await using ours = await openContestant('ours-on-redis', redis, count);
  await using theirs = await openContestant('sdk-sessions', redis, count);
  const [mine, others]: [Spent[], Spent[]] = [[], []];
  for (let round = 0; round < warming + rounds; round += 1) {
    mine.push(await ours.work());
    others.push(await theirs.work());
  }
  const pick = (field: keyof Spent): { ours: number; theirs: number } => ({
    ours: median(mine.slice(warming).map((spent) => spent[field])),
    theirs: median(others.slice(warming).map((spent) => spent[field])),
  });
  const against = 'the SDK in memory';
  return [
    { name: `call on Redis, ${count} clients`, against, ...pick('wall'), target: faster },
    { name: `CPU of a call on Redis, ${count} clients`, against, ...pick('cpu'), target: cheaper },
  ];
}

const faster = { kind: 'faster', factor: 1.5 } as const;
const cheaper = { kind: 'within', factor: 0.7 } as const;
const within = { kind: 'within', factor: 1 } as const;

/** Nanoseconds per call. */
interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

interface Contestant extends AsyncDisposable {
  work(): Promise<Spent>;
}

async function openContestant(name: ContestantName, redis: RedisProcess, count: number): Promise<Contestant> {
  const child = start(redis, 'http-contestants.js', `${serveContestant.name}('${name}')`);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const clients: LoadClient[] = [];
  for (let index = 0; index < count; index += 1) clients.push(await openLoadClient(port, '2025'));
  const cpu = async (): Promise<number> => {
    child.send('cpu');
    const [report] = (await once(child, 'message')) as [{ cpu: number }];
    return report.cpu;
  };
  return {
    async work() {
      const before = await cpu();
      const { calls, wall } = await load(clients);
      return { wall: wall / calls, cpu: (((await cpu()) - before) * 1e3) / calls };
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      await end(child);
    },
  };
}

/** A module of this directory in another process. */
function start(redis: RedisProcess, file: string, call: string): ChildProcess {
  const module = new URL(file, import.meta.url);
  const child = fork('--eval', [`import('${module.href}').then((it) => it.${call})`], {
    cwd: fileURLToPath(new URL('.', module)),
    execArgv: ['--expose-gc'],
    env: { ...process.env, BENCH_REDIS: redis.address },
  });
  pinProcess(child.pid ?? 0, 'measured');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}

const sessions = 100_000;

/** Two real nodes: what a question for roots costs, and what sessions cost that do nothing. */
async function nodesTogether(redis: RedisProcess): Promise<readonly Measurement[]> {
  const nodes = [0, 1].map(() => start(redis, 'cluster-node.js', `${serveNode.name}()`));
  const ports = await Promise.all(
    nodes.map(async (node) => ((await once(node, 'message')) as [Port])[0].port),
  );
  const tell = async (begin: number): Promise<readonly Report[]> => {
    for (const node of nodes) node.send({ begin } satisfies NodeQuestion);
    return Promise.all(nodes.map(async (node) => ((await once(node, 'message')) as [Report])[0]));
  };
  const [before, memory] = [await tell(250), await redis.memory()];
  const after = await tell(sessions / nodes.length);
  const engine = ((await redis.memory()) - memory) / sessions;
  const heap = after.reduce((sum, { heap }, index) => sum + heap - (before[index]?.heap ?? 0), 0) / sessions;
  // What one node has begun, the other one serves: none of them is lost.
  const fetched = await rootsFetch(redis, ports, after.at(-1)?.last ?? '');
  await Promise.all(nodes.map(end));
  const idle = `each of ${sessions.toLocaleString('en')} idle sessions with roots`;
  const bytes = { unit: 'bytes', target: within } as const;
  return [
    ...fetched,
    { name: `engine, ${idle}`, against: '1 kB', ours: engine, theirs: 1_000, ...bytes },
    { name: `two nodes, ${idle}`, against: '1 KiB', ours: Math.max(0, heap), theirs: 1_024, ...bytes },
  ];
}

interface Port {
  readonly port: number;
}

interface Report {
  readonly heap: number;
  /** A session of it. */
  readonly last: string;
}

const fetches = 300;

async function rootsFetch(
  redis: RedisProcess,
  [first = 0, second = 0]: readonly number[],
  session: string,
): Promise<readonly Measurement[]> {
  const client = await openRootsClient([first, second], session);
  const spent: { readonly same: number[]; readonly other: number[] } = { same: [], other: [] };
  for (let round = 0; round < fetches; round += 1) {
    for (const at of ['same', 'other'] as const) spent[at].push(await client.fetch(at));
  }
  const before = await redis.commands();
  for (let round = 0; round < fetches; round += 1) await client.fetch('other');
  const commands = ((await redis.commands()) - before) / fetches;
  client.close();
  const added = Math.max(0, median(spent.other) - median(spent.same)) * 1e6;
  const requests = { unit: 'requests', target: within } as const;
  return [
    {
      name: 'commands of a roots fetch across nodes',
      against: 'a budget of 3',
      ours: commands,
      theirs: 3,
      ...requests,
    },
    {
      name: 'what another node adds to a roots fetch over HTTP, p50',
      against: 'a budget of 2.5 ms',
      ours: added,
      theirs: 2.5e6,
      target: within,
    },
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
