import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findRipgrep } from '../src/tools/search/search-text.ts';
import { type Contest, contestsOf } from './serve-contests.ts';
import { plantServeTree, type ServeTree } from './serve-tree.ts';
import { type ServeProgram, type ServeWire, startServer, textIn } from './serve-wire.ts';
import type { Measurement, Suite, Target } from './suite.ts';
import { type Contestant, type Rounds, timePair } from './time-pair.ts';

/** The command that people install, as it is shipped, beside the reference file server: both over real stdio. */
export const serveSuite: Suite = {
  name: 'serve',
  async run() {
    using tree = plantServeTree();
    const results: Measurement[] = [...(await starts(tree))];
    await using ours = startServer(oursOf(tree));
    await using theirs = startServer(theirsOf(tree));
    await Promise.all([ours.begin(), theirs.begin()]);
    for (const contest of contestsOf(tree)) results.push(...(await compare(ours, theirs, contest)));
    results.push(await searchText(ours, tree));
    results.push(memoryAfter(ours, theirs));
    for (const contest of contestsOf(tree)) if (contest.cold) results.push(await firstCalls(tree, contest));
    return results;
  },
};

const against = 'server-filesystem';

/** The shipped command, with the tree as its root or with others. */
export function oursOf({ top, home }: ServeTree, roots: readonly string[] = [top]): ServeProgram {
  const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  // Both send a large answer whole.
  const argv = [command, 'serve', ...roots, '--max-answer', '10000000'];
  return { argv, cwd: top, env: { ROOTWARD_HOME: home } };
}

function theirsOf({ top }: ServeTree): ServeProgram {
  const command = import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
  return { argv: [fileURLToPath(command), top], cwd: top };
}

const startRounds = 9;

/** What a client waits for: from nothing to the answer of its first call. What that takes stays in memory. */
async function starts(tree: ServeTree): Promise<readonly Measurement[]> {
  const [ours, theirs]: [Start[], Start[]] = [[], []];
  for (let round = 0; round < startRounds; round += 1) {
    ours.push(await startOnce(oursOf(tree), tree));
    theirs.push(await startOnce(theirsOf(tree), tree));
  }
  const pick = (field: keyof Start): { ours: number; theirs: number } => ({
    ours: median(ours.map((start) => start[field])),
    theirs: median(theirs.map((start) => start[field])),
  });
  const target = { kind: 'within', factor: 1 } as const;
  return [
    { name: 'from start to the first answer', against, ...pick('time'), target },
    { name: 'memory at rest', against, ...pick('memory'), unit: 'bytes', target },
  ];
}

interface Start {
  /** Nanoseconds. */
  readonly time: number;
  /** Bytes. */
  readonly memory: number;
}

async function startOnce(program: ServeProgram, { shallow }: ServeTree): Promise<Start> {
  const begun = process.hrtime.bigint();
  await using server = startServer(program);
  await server.begin();
  await server.call('read_text_file', { path: shallow });
  return { time: Number(process.hrtime.bigint() - begun), memory: server.memory() };
}

/** A server that has rested is slow for its first calls, whichever it is: turns are long enough to leave that behind. */
const steady: Rounds = { rounds: 7, milliseconds: 300 };

async function compare(
  ours: ServeWire,
  theirs: ServeWire,
  contest: Contest,
): Promise<readonly Measurement[]> {
  const { name, factor, operation, rounds, ownWords = false } = contest;
  const answers = [unordered(await operation(ours)), unordered(await operation(theirs))];
  if (!ownWords && answers[0] !== answers[1])
    throw new Error(`${name}: the two answer differently, so that their times mean nothing`);
  // One after the other, because both may change the same file.
  if (rounds === undefined) for (const server of [ours, theirs]) await warmUp(server, contest);
  const mine = spending(ours, repeat(ours, contest));
  const others = spending(theirs, repeat(theirs, contest));
  const times = await timePair(mine.run, others.run, rounds ?? steady);
  const row = { name, against, ...times, target: { kind: 'faster', factor } } as const;
  if (rounds !== undefined) return [row];
  const processor = { ours: mine.perCall(), theirs: others.perCall() };
  return [row, { name: `processor time of ${name}`, against, ...processor, target: cheaper }];
}

const cheaper: Target = { kind: 'within', factor: 1 };

/** Counts the processor time that a server spends, per call. */
function spending(server: ServeWire, contestant: Contestant): { run: Contestant; perCall(): number } {
  let [calls, spent] = [0, 0];
  return {
    async run(count) {
      const before = server.processorTime();
      await contestant(count);
      spent += server.processorTime() - before;
      calls += count;
    },
    perCall: () => spent / calls,
  };
}

/** After the same work of all kinds. */
function memoryAfter(ours: ServeWire, theirs: ServeWire): Measurement {
  const memory = { ours: ours.memory(), theirs: theirs.memory() };
  return { name: 'memory after all that', against, ...memory, unit: 'bytes', target: cheaper };
}

const coldRounds = 5;
const firstCount = 60;

/** Most conversations have fewer calls than it takes to get warm. */
async function firstCalls(tree: ServeTree, contest: Contest): Promise<Measurement> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < coldRounds; round += 1) {
    ours.push(await timeFirst(oursOf(tree), contest));
    theirs.push(await timeFirst(theirsOf(tree), contest));
  }
  return {
    name: `${contest.name}: the first ${firstCount} calls`,
    against,
    ours: median(ours),
    theirs: median(theirs),
    target: { kind: 'faster', factor: 1 },
  };
}

/** Nanoseconds per call. */
async function timeFirst(program: ServeProgram, { operation }: Contest): Promise<number> {
  await using server = startServer(program);
  await server.begin();
  const begun = process.hrtime.bigint();
  for (let index = 0; index < firstCount; index += 1) await operation(server);
  return Number(process.hrtime.bigint() - begun) / firstCount;
}

/** Both compile while they run; calls per second are those of a server at work. */
async function warmUp(server: ServeWire, contest: Contest): Promise<void> {
  await repeat(server, contest)(1_000);
}

/** Neither server promises an order of what it lists. */
function unordered(line: string): string {
  return textIn(line).replaceAll(',', '').split('\n').toSorted().join('\n');
}

function repeat(server: ServeWire, { operation, inFlight = 1 }: Contest): Contestant {
  return async (count) => {
    let begun = 0;
    const work = async (): Promise<void> => {
      while (begun < count) {
        begun += 1;
        await operation(server);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
  };
}

const nearRipgrep: Target = { kind: 'within', factor: 1.3 };

/** The same search by the program alone: what it finds is not looked at a second time, nor made into an answer. */
async function searchText(server: ServeWire, { sources, needle }: ServeTree): Promise<Measurement> {
  const ripgrep = await findRipgrep(process.env);
  if (ripgrep === undefined) throw new Error('There is no ripgrep to compare with');
  const name = 'search_text, 20,000 files';
  const found = (text: string, who: string): void => {
    const lines = text.split('\n').filter((line) => line.includes(needle)).length;
    if (lines !== 100) throw new Error(`${name}: ${who} found ${lines} lines instead of 100`);
  };
  const times = await timePair(
    async (count) => {
      for (let index = 0; index < count; index += 1)
        found(textIn(await server.call('search_text', { path: sources, pattern: needle })), 'ours');
    },
    async (count) => {
      for (let index = 0; index < count; index += 1)
        found(await outputOf(ripgrep, ['--line-number', needle, '.'], sources), 'ripgrep');
    },
    { rounds: 15, milliseconds: 1 },
  );
  return { name, against: 'ripgrep alone', ...times, target: nearRipgrep };
}

async function outputOf(program: string, argv: readonly string[], cwd: string): Promise<string> {
  const child = spawn(program, argv, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
