import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { TempTree } from '../src/testing/temp-tree.ts';
import { readWalk, type Walk } from './coverage.ts';

/** `rootward serve` as a process that counts its functions. */
export interface CoveredServer extends AsyncDisposable {
  readonly send: (line: string) => void;
  readonly nextLine: () => Promise<string>;
  readonly nextError: () => Promise<string>;
  /** The shortest walk of a call after many. Each call has a number of its own, and answers with what it read. */
  readonly walk: (call: (id: number) => Promise<string>) => Promise<Walk>;
}

/** The command, compiled module by module. */
export const program: string = resolve('.build/src/cli/main.js');

/** A tree with a root, and with the directories that a program needs to itself. */
export function placeOf(tree: TempTree): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const home = tree.at('home');
  const coverage = tree.at('coverage');
  return {
    cwd: tree.path,
    env: { PATH: process.env['PATH'], HOME: home, ROOTWARD_HOME: home, NODE_V8_COVERAGE: coverage },
  };
}

/** Writes down on demand which functions ran since the last time. */
const probe = `import { takeCoverage } from 'node:v8';
process.on('message', () => { takeCoverage(); process.send('taken'); });
process.channel.unref();`;

const options = ['--import', `data:text/javascript,${encodeURIComponent(probe)}`, program, 'serve', 'app'];

export function startServer(tree: TempTree, args: readonly string[] = []): CoveredServer {
  const child = spawn(process.execPath, [...options, ...args], {
    ...placeOf(tree),
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // A server that has ended reads nothing; its lines end, too, and that is reported.
  child.stdin.on('error', () => {});
  const ended = (): Error => new Error(`The server has ended: ${said}`);
  const take = async (): Promise<void> => {
    // An answer may be there before the last of its work is done.
    await wait(50);
    child.send('take');
    await once(child, 'message');
  };
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    nextLine: linesOf(child.stdout, ended),
    nextError: linesOf(child.stderr, ended),
    async walk(call) {
      for (let id = 1; id <= before; id += 1) await check(call(id));
      await take();
      const walks: Walk[] = [];
      for (let id = before + 1; id <= before + measured; id += 1) {
        await check(call(id));
        await take();
        walks.push(readWalk(tree.at('coverage')));
      }
      // Work in the background, such as a timer, may add to one walk; rarely to all of them.
      return walks.reduce((least, walk) => (walk.files.length < least.files.length ? walk : least));
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The number of calls after which the next ones are steady, and how many of those are measured. */
const before = 20;
const measured = 5;

function linesOf(stream: Readable, ended: () => Error): () => Promise<string> {
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]();
  return async () => {
    const line = await lines.next();
    if (line.done === true) throw ended();
    return line.value;
  };
}

async function check(answer: Promise<string>): Promise<void> {
  const text = await answer;
  if (!text.includes('"text":"inside"')) throw new Error(`Not an answer: ${text}`);
}
