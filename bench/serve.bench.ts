import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRipgrep } from '../src/tools/search/search-text.ts';
import { plantServeTree, sample, type ServeTree } from './serve-tree.ts';
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
    for (const contest of contestsOf(tree)) results.push(await compare(ours, theirs, contest));
    results.push(await searchText(ours, tree));
    return results;
  },
};

const against = 'server-filesystem';

function oursOf({ top, home }: ServeTree): ServeProgram {
  const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  return { argv: [command, 'serve', top], cwd: top, env: { ROOTWARD_HOME: home } };
}

function theirsOf({ top }: ServeTree): ServeProgram {
  const command = import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
  return { argv: [fileURLToPath(command), top], cwd: top };
}

const startRounds = 15;

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
const steady: Rounds = { rounds: 9, milliseconds: 1_000 };

interface Contest {
  readonly name: string;
  readonly factor: number;
  readonly operation: (server: ServeWire) => Promise<string>;
  /** How many at a time; one by default. */
  readonly inFlight?: number;
  readonly rounds?: Rounds;
}

function contestsOf({ top, sources, shallow, deep, written }: ServeTree): readonly Contest[] {
  const read = (path: string) => (server: ServeWire) => server.call('read_text_file', { path });
  return [
    { name: 'read_text_file, one at a time', factor: 1.3, operation: read(shallow) },
    { name: 'read_text_file, 16 in flight', factor: 1.3, operation: read(shallow), inFlight: 16 },
    { name: 'read_text_file, ten directories deep', factor: 1.3, operation: read(deep) },
    {
      name: 'write_file, in place of a file',
      factor: 1,
      operation: (server) => server.call('write_file', { path: join(written, 'file.ts'), content: sample }),
    },
    {
      name: 'search_files, 20,000 files',
      factor: 15,
      operation: (server) => server.call('search_files', { path: top, pattern: '**/*-7.ts' }),
      rounds: { rounds: 5, milliseconds: 1 },
    },
    {
      name: 'directory_tree, 1,000 files',
      factor: 2,
      operation: (server) => server.call('directory_tree', { path: join(sources, 'package-3') }),
      rounds: { rounds: 41, milliseconds: 1 },
    },
  ];
}

async function compare(ours: ServeWire, theirs: ServeWire, contest: Contest): Promise<Measurement> {
  const { name, factor, operation, rounds } = contest;
  if (unordered(await operation(ours)) !== unordered(await operation(theirs)))
    throw new Error(`${name}: the two answer differently, so that their times mean nothing`);
  if (rounds === undefined) await Promise.all([ours, theirs].map((server) => warmUp(server, contest)));
  const times = await timePair(repeat(ours, contest), repeat(theirs, contest), rounds ?? steady);
  return { name, against, ...times, target: { kind: 'faster', factor } };
}

/** Both compile while they run; calls per second are those of a server at work. */
async function warmUp(server: ServeWire, contest: Contest): Promise<void> {
  await repeat(server, contest)(2_000);
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
