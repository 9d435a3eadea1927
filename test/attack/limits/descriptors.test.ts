import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Boundary, openBoundary, RootwardError } from '../../../src/index.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { countDescriptors, countWatches } from '../../support/processes/descriptors-of.ts';
import { attackScale } from '../../support/race/seed.ts';

type Use = (boundary: Boundary, turn: number) => Promise<unknown>;

/** Cheap ones, which make up most of the number. */
const cheap: Readonly<Record<string, Use>> = {
  stat: (boundary) => boundary.stat('a/b/c/file.txt'),
  'stat through a link': (boundary) => boundary.stat('link/c/file.txt'),
  'stat up and down': (boundary) => boundary.stat('a/b/../b/c/../../x.txt'),
  'lstat of a link': (boundary) => boundary.lstat('out'),
  list: (boundary) => boundary.list('a/b'),
  changeMode: (boundary) => boundary.changeMode('a/x.txt', 0o644),
  'a missing file': (boundary) => boundary.readText('a/b/missing.txt'),
  'a missing directory': (boundary) => boundary.readText('a/missing/file.txt'),
  'a file as a directory': (boundary) => boundary.stat('a/x.txt/more'),
  'a directory as a file': (boundary) => boundary.readText('a/b'),
  'a way up and out': (boundary) => boundary.stat('a/../../x'),
  'an absolute path': (boundary) => boundary.stat('/etc/passwd'),
  'an absolute link': (boundary) => boundary.stat('out/passwd'),
  'a relative link out': (boundary) => boundary.readText('up/x'),
  'a link to itself': (boundary) => boundary.readText('self'),
  'a FIFO': (boundary) => boundary.readText('pipe'),
  'a socket': (boundary) => boundary.readStream('socket'),
  'a name with NUL': (boundary) => boundary.stat('a\0b'),
  'a list of a file': (boundary) => boundary.list('a/x.txt'),
  'a walk of a file': (boundary) => exhaust(boundary.walk('a/x.txt')),
  'a removal of a full directory': (boundary) => boundary.remove('a'),
  'a rename of nothing': (boundary) => boundary.rename('missing', 'a/y.txt'),
  'a rename onto a file': (boundary) => boundary.rename('a/x.txt', 'a/b/c/file.txt'),
  'a directory that exists': (boundary) => boundary.makeDirectory('a/b'),
  'a write to a directory': (boundary) => boundary.write('a/b', ''),
  'a write to the root': (boundary) => boundary.write('.', ''),
  'a write through a link out': (boundary) => boundary.write('up/x', ''),
  'a creation of what exists': (boundary) => boundary.write('a/x.txt', '', { exclusive: true }),
  'an append to a FIFO': (boundary) => boundary.append('pipe', 'x'),
  'a log of a directory': async (boundary) => boundary.openLog('a/b'),
  'a mode of a FIFO': (boundary) => boundary.changeMode('pipe', 0o600),
  'a copy of a socket': (boundary) => boundary.copy('socket', 'a/copy'),
  'a copy onto a file': (boundary) => boundary.copy('a/x.txt', 'a/b/c/file.txt'),
  'a watch of nothing': async (boundary) => boundary.watch('missing'),
};

/** Dearer ones, which read and write. */
const dear: Readonly<Record<string, Use>> = {
  readText: (boundary) => boundary.readText('a/b/c/file.txt'),
  'readText of a tail': (boundary) => boundary.readText('link/c/file.txt', { tail: 1 }),
  'readBytes of a range': (boundary) => boundary.readBytes('a/x.txt', { start: 1, end: 3 }),
  'readBytes of too much': (boundary) => boundary.readBytes('a/x.txt', { limit: 1 }),
  'readBytes that is aborted': (boundary) => boundary.readBytes('a/x.txt', { signal: AbortSignal.abort() }),
  async readStream(boundary) {
    const stream = await boundary.readStream('a/x.txt');
    stream.resume();
    await once(stream, 'close');
  },
  async 'readStream that is destroyed'(boundary) {
    const stream = await boundary.readStream('a/x.txt');
    stream.destroy();
    await once(stream, 'close');
  },
  async 'readStream of nothing'(boundary) {
    const stream = await boundary.readStream('a/x.txt', { start: 2, end: 2 });
    stream.resume();
    await once(stream, 'close');
  },
  async open(boundary) {
    await using reader = await boundary.open('a/x.txt');
    await reader.read(0, 10);
  },
  walk: (boundary) => exhaust(boundary.walk('.')),
  'walk with rules': (boundary) => exhaust(boundary.walk('.', { gitignore: true, ignore: ['b'] })),
  async 'walk that is left'(boundary) {
    const entries = boundary.walk('.')[Symbol.asyncIterator]();
    await entries.next();
    await entries.return?.();
  },
  'walk with a limit': (boundary) => exhaust(boundary.walk('.', { entries: 1 })),
  'list with a limit': (boundary) => boundary.list('a', { limit: 1 }),
  'write and remove': async (boundary, turn) => {
    await boundary.write(`new-${turn}/file.txt`, 'x', { parents: true });
    await boundary.remove(`new-${turn}`, { tree: true });
  },
  'write with a flush': (boundary) => boundary.write('flushed.txt', 'x', { flush: true }),
  'write that is aborted': (boundary) => boundary.write('aborted.txt', 'x', { signal: AbortSignal.abort() }),
  append: (boundary) => boundary.append('log.txt', '.'),
  async openLog(boundary) {
    const log = boundary.openLog('log.txt');
    log.append('.');
    log.isCurrent();
    log.close();
  },
  copy: (boundary) => boundary.copy('a/x.txt', 'copy.txt', { replace: true }),
  'copy that is aborted': (boundary) => boundary.copy('a/x.txt', 'c.txt', { signal: AbortSignal.abort() }),
  async rename(boundary, turn) {
    await boundary.write(`old-${turn}`, '');
    await boundary.rename(`old-${turn}`, 'renamed', { replace: true });
  },
  async 'a watch that is left'(boundary) {
    const events = boundary.watch('a');
    const next = events.next();
    await boundary.append('a/x.txt', '.');
    await next;
    await events.return?.();
  },
  async 'a boundary of its own'(boundary) {
    await using twin = await openBoundary(`/proc/self/cwd`);
    await boundary.copy('a/x.txt', '../x', { into: twin });
  },
};

const entries = [
  'a/x.txt',
  'a/b/c/file.txt',
  'link => a/b',
  'out => /etc',
  'up => ../..',
  'self => self',
  'pipe|',
  '.gitignore = *.log',
];

async function exhaust(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const item of items) count += item === undefined ? 0 : 1;
  return count;
}

interface Outcome {
  operations: number;
  failures: number;
}

/** Several at a time, each list from its start again until the number is reached. */
async function runMany(boundary: Boundary, uses: readonly Use[], times: number): Promise<Outcome> {
  const outcome: Outcome = { operations: 0, failures: 0 };
  const work = async (): Promise<void> => {
    while (outcome.operations < times) {
      const turn = outcome.operations;
      outcome.operations += 1;
      try {
        await uses[turn % uses.length]?.(boundary, turn);
      } catch (error) {
        if (!RootwardError.is(error) && !isAbort(error)) throw error;
        outcome.failures += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return outcome;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

interface Scene extends AsyncDisposable {
  readonly boundary: Boundary;
}

async function openScene(): Promise<Scene> {
  const tree = tempTree(entries);
  const server = createServer().listen(tree.at('socket'));
  await once(server, 'listening');
  const boundary = await openBoundary(tree.path);
  return {
    boundary,
    async [Symbol.asyncDispose]() {
      await boundary.close();
      server.close();
      await once(server, 'close');
      tree[Symbol.dispose]();
    },
  };
}

/** In all; one that leaks a descriptor in a thousand times would still show ten times over. */
const operations = attackScale > 1 ? 60_000 : 4_000;

describe.runIf(process.platform === 'linux')('the descriptors of the process', () => {
  test(
    `are as many after ${operations} operations, half of them refused, as before`,
    { timeout: 120_000 * attackScale },
    async () => {
      await using scene = await openScene();
      const { boundary } = scene;
      const [quick, slow] = [Object.values(cheap), Object.values(dear)];
      // What the process itself opens once: its event loop, its watches, its threads.
      await runMany(boundary, [...quick, ...slow], quick.length + slow.length);
      const before = countDescriptors();
      const first = await runMany(boundary, quick, 0.9 * operations);
      const second = await runMany(boundary, slow, 0.1 * operations);
      expect(first.operations + second.operations).toBeGreaterThanOrEqual(operations);
      expect(first.failures + second.failures).toBeGreaterThan(0.4 * operations);
      expect(countDescriptors()).toBe(before);
      expect(countWatches()).toBe(0);
    },
  );

  test.each(Object.entries({ ...cheap, ...dear }))('are as many after %s as before', async (_name, use) => {
    await using scene = await openScene();
    const { boundary } = scene;
    await runMany(boundary, [use], 8);
    const before = countDescriptors();
    await runMany(boundary, [use], 24);
    expect(countDescriptors()).toBe(before);
  });

  test('do not leak through a recursive watch that is left while it still looks for directories', async () => {
    using tree = tempTree();
    for (let number = 0; number < 2_000; number += 1)
      mkdirSync(tree.at(`d${number % 50}`, `s${number}`), { recursive: true });
    const boundary = await openBoundary(tree.path);
    const events = boundary.watch('.', { recursive: true });
    const next = events.next();
    writeFileSync(tree.at('new.txt'), '');
    await next;
    await events.return?.();
    // Waits for the search too.
    await boundary.close();
    expect(countWatches()).toBe(0);
  });
});
