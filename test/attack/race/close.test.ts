import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Boundary, openBoundary, RootwardError } from '../../../src/index.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { countDescriptors } from '../../support/processes/descriptors-of.ts';

/** Every way to use a boundary. What opens something closes it again. */
const uses: Readonly<Record<string, (boundary: Boundary, name: string) => Promise<unknown>>> = {
  stat: (boundary) => boundary.stat('a.txt'),
  lstat: (boundary) => boundary.lstat('a.txt'),
  readText: (boundary) => boundary.readText('a.txt'),
  readBytes: (boundary) => boundary.readBytes('a.txt'),
  async readStream(boundary) {
    const stream = await boundary.readStream('a.txt');
    stream.resume();
    await once(stream, 'close');
  },
  async open(boundary) {
    const reader = await boundary.open('a.txt');
    await reader.read(0, 100);
    await reader.close();
  },
  list: (boundary) => boundary.list('.'),
  walk: (boundary) => countEntries(boundary),
  write: (boundary, name) => boundary.write(`${name}.txt`, name),
  append: (boundary) => boundary.append('log.txt', '.'),
  async openLog(boundary) {
    const log = boundary.openLog('log.txt');
    log.append('.');
    log.close();
  },
  makeDirectory: (boundary, name) => boundary.makeDirectory(`directory-${name}/sub`, { parents: true }),
  copy: (boundary, name) => boundary.copy('a.txt', `copy-${name}.txt`),
  async rename(boundary, name) {
    await boundary.write(`old-${name}.txt`, '');
    await boundary.rename(`old-${name}.txt`, `new-${name}.txt`);
  },
  async remove(boundary, name) {
    await boundary.makeDirectory(`doomed-${name}/sub`, { parents: true });
    await boundary.remove(`doomed-${name}`, { tree: true });
  },
  changeMode: (boundary) => boundary.changeMode('a.txt', 0o644),
  async watch(boundary) {
    await boundary.watch('.', { signal: AbortSignal.abort() }).next();
  },
};

const useCases = Object.entries(uses);

async function countEntries(boundary: Boundary): Promise<number> {
  let count = 0;
  for await (const batch of boundary.walk('.').batches()) count += batch.length;
  return count;
}

/** What a promise came to, so far. */
function follow(promise: Promise<unknown>): { state: 'running' | 'done' | 'failed' } {
  const followed: { state: 'running' | 'done' | 'failed' } = { state: 'running' };
  promise.then(
    () => (followed.state = 'done'),
    () => (followed.state = 'failed'),
  );
  return followed;
}

/** Gives everything that is ready the chance to run, many times over. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
}

describe('a boundary that is closed', () => {
  test.each(useCases)('refuses %s', async (_name, use) => {
    using tree = tempTree(['a.txt']);
    const boundary = await openBoundary(tree.path);
    await use(boundary, 'before');
    await boundary.close();
    const before = readdirSync(tree.path);
    await expect((async () => use(boundary, 'after'))()).rejects.toMatchObject({ code: 'CLOSED' });
    expect(readdirSync(tree.path)).toEqual(before);
  });

  test.each(['rename', 'copy'] as const)('is no place to %s something into', async (method) => {
    using tree = tempTree(['one/a.txt', 'two/']);
    await using one = await openBoundary(tree.at('one'));
    const two = await openBoundary(tree.at('two'));
    await two.close();
    await expect(one[method]('a.txt', 'a.txt', { into: two })).rejects.toMatchObject({ code: 'CLOSED' });
    expect(readdirSync(tree.at('one'))).toEqual(['a.txt']);
  });

  test('is closed for its guarded twin too, and the other way round', async () => {
    using tree = tempTree(['a.txt']);
    const boundary = await openBoundary(tree.path);
    await boundary.guarded(() => undefined).close();
    await expect(boundary.stat('a.txt')).rejects.toMatchObject({ code: 'CLOSED' });
  });

  test('can be closed again, at once and later', async () => {
    using tree = tempTree(['a.txt']);
    const boundary = await openBoundary(tree.path);
    const twice = Promise.all([boundary.close(), boundary.close()]);
    await expect(twice).resolves.toEqual([undefined, undefined]);
    await expect(boundary.close()).resolves.toBe(undefined);
  });

  test('is closed at the end of an `await using` block', async () => {
    using tree = tempTree(['a.txt']);
    const kept: Boundary[] = [];
    {
      await using boundary = await openBoundary(tree.path);
      kept.push(boundary);
      await boundary.stat('a.txt');
    }
    for (const boundary of kept)
      await expect(boundary.stat('a.txt')).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe.runIf(process.platform === 'linux')('closing', () => {
  test('lets what is running end, and then releases the directory', async () => {
    using tree = tempTree(['a.txt']);
    writeFileSync(tree.at('a.txt'), Buffer.alloc(4 * 1024 * 1024));
    const before = countDescriptors();
    const boundary = await openBoundary(tree.path);
    const running = Array.from({ length: 8 }, (_, round) =>
      useCases
        // These are two calls, and the second one comes too late.
        .filter(([name]) => !['rename', 'remove'].includes(name))
        .map(([name, use]) => use(boundary, `${name}-${round}`)),
    ).flat();
    // At the very moment when it is closed: whatever still ran would have something open.
    const left = boundary.close().then(() => countDescriptors());
    await expect(boundary.stat('a.txt')).rejects.toMatchObject({ code: 'CLOSED' });
    await Promise.all(running);
    expect(await left).toBe(before);
  });

  test('at any moment lets every operation come to a result or to CLOSED', { timeout: 60_000 }, async () => {
    const before = countDescriptors();
    const outcomes = new Set<string>();
    for (let round = 0; round < 100; round += 1) {
      using tree = tempTree(['a.txt']);
      const boundary = await openBoundary(tree.path);
      const running = useCases.map(([name, use]) => outcomeOf(() => use(boundary, `${name}-${round}`)));
      for (let turn = 0; turn < round % 20; turn += 1) await (turn % 2 ? setImmediate() : undefined);
      const late = useCases.map(([name, use]) => outcomeOf(() => use(boundary, `late-${name}-${round}`)));
      await Promise.all([boundary.close(), boundary.close()]);
      for (const outcome of await Promise.all([...running, ...late])) outcomes.add(outcome);
    }
    expect([...outcomes].toSorted()).toEqual(['CLOSED', 'done']);
    expect(countDescriptors()).toBe(before);
  });

  test('does not use the number of the directory after it was given to another file', async () => {
    using tree = tempTree(['root/a.txt', 'next/a.txt = theirs', 'next/log.txt = theirs']);
    const boundary = await openBoundary(tree.at('root'));
    const log = boundary.openLog('log.txt');
    log.close();
    await boundary.close();
    // Numbers are given lowest first: these take the one that became free.
    const flags = constants.O_RDONLY | constants.O_DIRECTORY;
    const theirs = Array.from({ length: 8 }, () => openSync(tree.at('next'), flags));
    try {
      await Promise.all(useCases.map(([name, use]) => outcomeOf(() => use(boundary, name))));
      await outcomeOf(async () => log.isCurrent());
      await outcomeOf(async () => log.append('ours'));
      await outcomeOf(async () => log.flush());
      await outcomeOf(async () => log.close());
      expect(readdirSync(tree.at('next')).toSorted()).toEqual(['a.txt', 'log.txt']);
      expect(readFileSync(tree.at('next', 'log.txt'), 'utf8')).toBe('theirs');
    } finally {
      // Fails if one of them was closed for us.
      for (const fd of theirs) closeSync(fd);
    }
  });

  test('waits for a stream to be read to its end', async () => {
    using tree = tempTree(['a.txt = content']);
    const before = countDescriptors();
    const boundary = await openBoundary(tree.path);
    const stream = await boundary.readStream('a.txt');
    const closing = boundary.close();
    const closed = follow(closing);
    await settle();
    expect(closed.state).toBe('running');
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('content');
    await closing;
    expect(countDescriptors()).toBe(before);
  });

  test('waits for a stream to be destroyed', async () => {
    using tree = tempTree(['a.txt']);
    const before = countDescriptors();
    const boundary = await openBoundary(tree.path);
    const stream = await boundary.readStream('a.txt');
    const closing = boundary.close();
    const closed = follow(closing);
    await settle();
    expect(closed.state).toBe('running');
    stream.destroy();
    await closing;
    expect(countDescriptors()).toBe(before);
  });

  test('waits for a reader, which waits for its reads', async () => {
    using tree = tempTree(['a.txt = content']);
    const before = countDescriptors();
    const boundary = await openBoundary(tree.path);
    const reader = await boundary.open('a.txt');
    const closing = boundary.close();
    const closed = follow(closing);
    await settle();
    expect(closed.state).toBe('running');
    const parts = Array.from({ length: 50 }, () => reader.read(0, 7));
    await reader.close();
    // Closed by then, and none has read from a file that got its number.
    const settled = parts.map(follow);
    await Promise.resolve();
    expect(new Set(settled.map(({ state }) => state))).toEqual(new Set(['done']));
    expect(new Set((await Promise.all(parts)).map(String))).toEqual(new Set(['content']));
    await closing;
    expect(countDescriptors()).toBe(before);
  });

  test('waits for a log, which can be written to its end', async () => {
    using tree = tempTree();
    const before = countDescriptors();
    const boundary = await openBoundary(tree.path);
    const log = boundary.openLog('log.txt');
    const closing = boundary.close();
    const closed = follow(closing);
    await settle();
    expect(closed.state).toBe('running');
    log.append('last words\n');
    expect(log.isCurrent()).toBe(true);
    log.close();
    await closing;
    expect(readFileSync(tree.at('log.txt'), 'utf8')).toBe('last words\n');
    expect(countDescriptors()).toBe(before);
  });

  test('waits for a walk to be left', async () => {
    using tree = tempTree(['a/b/c.txt', 'd.txt']);
    const before = countDescriptors();
    const boundary = await openBoundary(tree.path);
    const walk = boundary.walk('.')[Symbol.asyncIterator]();
    await walk.next();
    const closing = boundary.close();
    const closed = follow(closing);
    await settle();
    expect(closed.state).toBe('running');
    await walk.return?.();
    await closing;
    expect(countDescriptors()).toBe(before);
  });

  test.each([true, false])('ends a watch that is waited for, recursive: %s', async (recursive) => {
    using tree = tempTree(['a/b/c.txt']);
    const boundary = await openBoundary(tree.path);
    const next = boundary.watch('.', { recursive }).next();
    await settle();
    const closing = boundary.close();
    expect(await next).toEqual({ done: true, value: undefined });
    await closing;
  });

  test('ends a watch whose directories are still being found', async () => {
    using tree = tempTree(Array.from({ length: 500 }, (_, number) => `d${number}/sub/`));
    const boundary = await openBoundary(tree.path);
    const next = boundary.watch('.', { recursive: true }).next();
    await boundary.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe.runIf(process.platform === 'linux')('a root that is renamed', () => {
  test('is used where it has been moved to', async () => {
    using tree = tempTree(['root/a.txt']);
    await using boundary = await openBoundary(tree.at('root'));
    renameSync(tree.at('root'), tree.at('moved'));
    expect(await boundary.readText('a.txt')).toBe('root/a.txt');
    await boundary.write('b.txt', 'new');
    expect(readFileSync(tree.at('moved', 'b.txt'), 'utf8')).toBe('new');
  });

  test('is not mistaken for what takes its place', async () => {
    using tree = tempTree(['root/a.txt = ours', 'other/a.txt = theirs']);
    await using boundary = await openBoundary(tree.at('root'));
    renameSync(tree.at('root'), tree.at('moved'));
    renameSync(tree.at('other'), tree.at('root'));
    expect(await boundary.readText('a.txt')).toBe('ours');
    for (const [name, use] of useCases) await use(boundary, name);
    expect(readdirSync(tree.at('root'))).toEqual(['a.txt']);
    expect(readFileSync(tree.at('root', 'a.txt'), 'utf8')).toBe('theirs');
    expect(readdirSync(tree.at('moved'))).toContain('write.txt');
  });

  test('serves operations on while it is moved to and fro', async () => {
    using tree = tempTree(['root/a.txt', 'decoy/a.txt = theirs']);
    await using boundary = await openBoundary(tree.at('root'));
    const outcomes: Promise<string>[] = [];
    for (let round = 0; round < 50; round += 1) {
      outcomes.push(...useCases.map(([name, use]) => outcomeOf(() => use(boundary, `${name}-${round}`))));
      renameSync(tree.at('root'), tree.at('moved'));
      renameSync(tree.at('decoy'), tree.at('root'));
      await setImmediate();
      renameSync(tree.at('root'), tree.at('decoy'));
      renameSync(tree.at('moved'), tree.at('root'));
    }
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['done']));
    expect(readdirSync(tree.at('decoy'))).toEqual(['a.txt']);
  });

  test('goes on being watched', async () => {
    using tree = tempTree(['root/']);
    await using boundary = await openBoundary(tree.at('root'));
    renameSync(tree.at('root'), tree.at('moved'));
    mkdirSync(tree.at('root'));
    const events = boundary.watch('.');
    const next = events.next();
    writeFileSync(tree.at('root', 'theirs.txt'), '');
    writeFileSync(tree.at('moved', 'ours.txt'), '');
    expect((await next).value).toEqual({ kind: 'rename', path: 'ours.txt' });
    await events.return?.();
  });
});

/** `done`, or the code of the refusal. What is none of ours fails the test. */
async function outcomeOf(use: () => Promise<unknown>): Promise<string> {
  try {
    await use();
    return 'done';
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return error.code;
  }
}
