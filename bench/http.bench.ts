import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ContestantName, serveContestant } from './http-contestants.ts';
import { load, type Era, type LoadClient, openLoadClient } from './http-load.ts';
import { pinProcess } from './pin-process.ts';
import type { Measurement, Suite } from './suite.ts';

/** What does a call over HTTP cost, beside the SDK's own transport? Each server has a process of its own. */
export const httpSuite: Suite = {
  name: 'http',
  async run() {
    pinProcess(process.pid, 'others');
    const results: Measurement[] = [];
    for (const [sessions, factor] of [
      [1, 1],
      [10, 1.5],
      [100, 1.5],
      [1_000, 1.5],
    ] as const) {
      results.push(...(await compare({ era: '2025', sessions, factor })));
    }
    results.push(...(await compare({ era: '2026', sessions: 10, factor: 1 })), await heapOfSessions());
    return results;
  },
};

interface Contest {
  readonly era: Era;
  readonly sessions: number;
  readonly factor: number;
}

/** The first ones warm both up and do not count. */
const warming = 4;
const rounds = 8;

async function compare({ era, sessions, factor }: Contest): Promise<readonly Measurement[]> {
  const theirName = era === '2025' ? 'sdk-sessions' : 'sdk-modern';
  await using ours = await openContestant('ours', era, sessions);
  await using theirs = await openContestant(theirName, era, sessions);
  const [mine, others]: [Spent[], Spent[]] = [[], []];
  for (let round = 0; round < warming + rounds; round += 1) {
    mine.push(await ours.work());
    others.push(await theirs.work());
  }
  const name = `${era}, ${sessions === 1 ? 'one client' : `${sessions} clients`}`;
  const pick = (field: keyof Spent): { ours: number; theirs: number } => ({
    ours: median(mine.slice(warming).map((spent) => spent[field])),
    theirs: median(others.slice(warming).map((spent) => spent[field])),
  });
  return [
    { name: `call, ${name}`, against: 'the SDK', ...pick('wall'), target: { kind: 'faster', factor } },
    ...(era === '2025' && sessions > 1
      ? [{ name: `CPU of a call, ${name}`, against: 'the SDK', ...pick('cpu'), target: within }]
      : []),
  ];
}

const within = { kind: 'within', factor: 0.7 } as const;

/** Nanoseconds per call. */
interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

interface Opened extends AsyncDisposable {
  work(): Promise<Spent>;
  /** Begins sessions whose clients leave, and tells the heap. */
  heapAfter(count: number): Promise<number>;
}

async function openContestant(name: ContestantName, era: Era, count: number): Promise<Opened> {
  const child = startProcess(name);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const clients: LoadClient[] = [];
  const ask = async (what: 'cpu' | 'heap'): Promise<{ cpu: number; heap: number }> => {
    child.send(what);
    const [report] = await once(child, 'message');
    return report;
  };
  for (let index = 0; index < count; index += 1) clients.push(await openLoadClient(port, era));
  return {
    async heapAfter(more) {
      for (let index = 0; index < more; index += 1) (await openLoadClient(port, era)).close();
      const heaps: number[] = [];
      // Connections take a moment to be gone.
      for (let look = 0; look < 6; look += 1) heaps.push((await ask('heap')).heap);
      return Math.min(...heaps);
    },
    async work() {
      const before = await ask('cpu');
      const { calls, wall } = await load(clients);
      const { cpu } = await ask('cpu');
      return { wall: wall / calls, cpu: ((cpu - before.cpu) * 1e3) / calls };
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** The same module in another process, where nothing else takes time. */
function startProcess(name: ContestantName): ChildProcess {
  const module = new URL('http-contestants.js', import.meta.url);
  const program = `import('${module.href}').then((it) => it.${serveContestant.name}('${name}'))`;
  const cwd = fileURLToPath(new URL('.', module));
  const child = fork('--eval', [program], { execArgv: ['--expose-gc'], cwd });
  pinProcess(child.pid ?? 0, 'measured');
  return child;
}

/** Bytes that an idle session may keep. */
const budget = 2_048;

async function heapOfSessions(): Promise<Measurement> {
  const more = 1_000;
  await using ours = await openContestant('ours', '2025', 0);
  const before = await ours.heapAfter(more);
  const after = await ours.heapAfter(more);
  return {
    name: 'heap of an idle session',
    against: 'a budget of 2 KiB',
    ours: (after - before) / more,
    theirs: budget,
    unit: 'bytes',
    target: { kind: 'within', factor: 1 },
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
