import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { benchToken, type ContestantName, serveContestant } from './http-contestants.ts';
import {
  type Era,
  load,
  type LoadCall,
  type LoadClient,
  type LoadTimes,
  openLoadClient,
} from './http-load.ts';
import { pinProcess } from './pin-process.ts';
import { plantServeTree, type ServeTree } from './serve-tree.ts';
import { processorTimeOf } from './serve-wire.ts';
import { startRedis } from './redis-process.ts';
import type { Measurement, Suite, Target } from './suite.ts';

/**
 * `rootward serve --http` as it is shipped, with all its tools, boundary, policy and audit log, beside the bare SDK
 * whose tool reads any file unchecked.
 */
export const productSuite: Suite = {
  name: 'product',
  async run() {
    pinProcess(process.pid, 'others');
    using tree = plantServeTree();
    const results: Measurement[] = [];
    for (const contest of contests) results.push(...(await compare(tree, contest)));
    results.push(...(await compareStores(tree)), await compareCrowds(tree));
    return results;
  },
};

interface HttpContest {
  readonly era: Era;
  readonly peer: ContestantName;
  readonly sessions: number;
  /** How many times as many calls a second. */
  readonly factor: number;
}

const contests: readonly HttpContest[] = [
  ...[1, 10, 100, 1_000].map(
    (sessions) =>
      ({ era: '2025', peer: 'sdk-sessions-json', sessions, factor: sessions === 1 ? 1 : 1.2 }) as const,
  ),
  { era: '2025', peer: 'sdk-sessions', sessions: 100, factor: 1.2 },
  ...[1, 10, 100, 1_000].map(
    (sessions) => ({ era: '2026', peer: 'sdk-modern', sessions, factor: 1.2 }) as const,
  ),
];

const peerNames: Partial<Record<ContestantName, string>> = {
  'sdk-sessions-json': 'the bare SDK (JSON)',
  'sdk-sessions': 'the bare SDK (streams)',
  'sdk-modern': 'the bare SDK',
};

/** Both compile while they run: rounds count once each has answered so many calls, as a server at work has. */
const warmAfter = 4_000;
const rounds = 6;

async function compare(tree: ServeTree, contest: HttpContest): Promise<readonly Measurement[]> {
  const { era, peer, sessions, factor } = contest;
  const call = readCall(tree);
  await using ours = await openUnder(await startCommand(tree), contest, call);
  await using theirs = await openUnder(await startPeer(peer), contest, call);
  const [mine, others] = await takeTurns(ours, theirs);
  const against = peerNames[peer] ?? peer;
  const title = `${era}, ${sessions === 1 ? 'one client' : `${sessions} clients`}`;
  const row = (what: string, field: 'wall' | 'cpu' | 'p99', target: Target): Measurement => ({
    name: `${what}, ${title}`,
    against,
    ours: median(mine.map((spent) => spent[field])),
    theirs: median(others.map((spent) => spent[field])),
    target,
  });
  return [
    row('read_text_file over HTTP', 'wall', { kind: 'faster', factor }),
    row('processor time of it', 'cpu', { kind: 'within', factor: 1 }),
    ...(sessions === 1_000 ? [row('its 99th percentile', 'p99', { kind: 'within', factor: 1 })] : []),
  ];
}

async function takeTurns(ours: Opened, theirs: Opened): Promise<readonly [Spent[], Spent[]]> {
  const [mine, others]: [Spent[], Spent[]] = [[], []];
  for (const contestant of [ours, theirs])
    for (let answered = 0; answered < warmAfter;) answered += (await contestant.work()).calls;
  for (let round = 0; round < rounds; round += 1) {
    mine.push(await ours.work());
    others.push(await theirs.work());
  }
  return [mine, others];
}

/** Sessions on Redis against sessions in memory, both of the shipped command. */
async function compareStores(tree: ServeTree): Promise<readonly Measurement[]> {
  await using redis = await startRedis();
  pinProcess(redis.pid, 'others');
  const contest = { era: '2025', sessions: 100 } as const;
  const call = readCall(tree);
  await using ours = await openUnder(await startCommand(tree, ['--sessions', redis.address]), contest, call);
  await using theirs = await openUnder(await startCommand(tree), contest, call);
  const [mine, others] = await takeTurns(ours, theirs);
  return [
    {
      name: 'read_text_file over HTTP with sessions on Redis, 100 clients',
      against: 'sessions in memory',
      ours: median(mine.map(({ wall }) => wall)),
      theirs: median(others.map(({ wall }) => wall)),
      target: { kind: 'faster', factor: 0.8 },
    },
  ];
}

/** Ten clients call while 990 others have a session and are silent. */
async function compareCrowds(tree: ServeTree): Promise<Measurement> {
  const contest = { era: '2025', sessions: 10 } as const;
  const call = readCall(tree);
  const crowded = await startCommand(tree);
  const silent: LoadClient[] = [];
  for (let index = 0; index < 990; index += 1) silent.push(await openLoadClient(crowded.port, '2025', call));
  await using ours = await openUnder(crowded, contest, call);
  await using theirs = await openUnder(await startCommand(tree), contest, call);
  const [mine, others] = await takeTurns(ours, theirs);
  for (const client of silent) client.close();
  return {
    name: 'read_text_file over HTTP beside 990 silent sessions',
    against: 'no other session',
    ours: median(mine.map(({ wall }) => wall)),
    theirs: median(others.map(({ wall }) => wall)),
    target: { kind: 'within', factor: 1.1 },
  };
}

function readCall({ shallow }: ServeTree): LoadCall {
  return { tool: 'read_text_file', input: { path: shallow }, answer: 'export const line' };
}

/** Nanoseconds; of the first two, per call. */
interface Spent {
  readonly calls: number;
  readonly wall: number;
  readonly cpu: number;
  readonly p99: number;
}

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startCommand({ top, home }: ServeTree, flags: readonly string[] = []): Promise<Started> {
  const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  // Only nodes that share sessions need the key.
  const key = flags.includes('--sessions')
    ? { ROOTWARD_SEALING_KEY: randomBytes(32).toString('base64') }
    : {};
  const env = { ...process.env, ROOTWARD_HOME: home, ROOTWARD_TOKEN: benchToken, ...key };
  const argv = [command, 'serve', top, '--http', '127.0.0.1:0', ...flags];
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The server did not start: ${told}`)));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      told += chunk;
      const [, found] = /listening on \S+:(\d+)/.exec(told) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  return { child, port };
}

async function startPeer(name: ContestantName): Promise<Started> {
  const module = new URL('http-contestants.js', import.meta.url);
  const program = `import('${module.href}').then((it) => it.${serveContestant.name}('${name}'))`;
  const child = fork('--eval', [program], { execArgv: [], cwd: fileURLToPath(new URL('.', module)) });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

interface Opened extends AsyncDisposable {
  work(): Promise<Spent>;
}

async function openUnder(
  { child, port }: Started,
  contest: Pick<HttpContest, 'era' | 'sessions'>,
  call: LoadCall,
): Promise<Opened> {
  pinProcess(child.pid ?? 0, 'measured');
  const clients: LoadClient[] = [];
  for (let index = 0; index < contest.sessions; index += 1)
    clients.push(await openLoadClient(port, contest.era, call));
  return {
    async work() {
      const before = processorTimeOf(child.pid ?? 0);
      const { calls, wall, p99 }: LoadTimes = await load(clients);
      return { calls, wall: wall / calls, cpu: (processorTimeOf(child.pid ?? 0) - before) / calls, p99 };
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
