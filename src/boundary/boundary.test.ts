import { renameSync, rmdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../test/support/processes/open-handles.ts';
import { listTree } from '../../test/support/trees/list-tree.ts';
import { tempTree } from '../testing/temp-tree.ts';
import type { Boundary } from './boundary.ts';
import { openBoundary, openWith } from './open-boundary.ts';
import { createTextReaders } from './read/text-readers.ts';

/** Every method once, and in an order in which each finds what it needs. */
const methods: Readonly<Record<string, (boundary: Boundary) => unknown>> = {
  probe: (boundary) => boundary.probe('read', 'f'),
  stat: (boundary) => boundary.stat('f'),
  lstat: (boundary) => boundary.lstat('f'),
  readText: (boundary) => boundary.readText('f'),
  readBytes: (boundary) => boundary.readBytes('f'),
  readStream: async (boundary) => text(await boundary.readStream('f')),
  open: async (boundary) => (await boundary.open('f')).close(),
  openBelow: async (boundary) => (await boundary.openBelow('f', 'below')).close(),
  list: (boundary) => boundary.list('.'),
  walk: async (boundary) => {
    const batches = boundary.walk('.').batches();
    await batches.next();
    await batches.return?.();
  },
  sweep: (boundary) => boundary.sweep({ mayRemove: () => true }),
  readTexts: async (boundary) => {
    const readers = createTextReaders(1);
    const texts = boundary.readTexts('.', { readers, wanted: () => true, limit: 1_024 });
    try {
      await texts.next();
      await texts.return(undefined);
    } finally {
      await readers.close();
    }
  },
  runUnchecked: (boundary) =>
    boundary.runUnchecked('.', {
      command: 'exit 0',
      env: {},
      limits: { milliseconds: 15_000, kept: 1_024, output: 1_024, memory: 2 ** 30, processes: 64 },
    }),
  write: (boundary) => boundary.write('f', 'x'),
  update: (boundary) => boundary.update('f', (bytes) => bytes.subarray(0, 1)),
  append: (boundary) => boundary.append('f', 'y'),
  openLog: async (boundary) => boundary.openLog('f').close(),
  lock: async (boundary) => (await boundary.lock('f')).release(),
  makeDirectory: (boundary) => boundary.makeDirectory('d'),
  copy: (boundary) => boundary.copy('f', 'd/g'),
  rename: (boundary) => boundary.rename('d/g', 'd/h'),
  changeMode: (boundary) => boundary.changeMode('d/h', 0o600),
  watch: async (boundary) => boundary.watch('.', { signal: AbortSignal.abort() }).next(),
  remove: (boundary) => boundary.remove('d', { tree: true }),
};

/** The public methods; properties cover the rest. */
function publicMethods(boundary: Boundary): readonly string[] {
  const prototype: object = Object.getPrototypeOf(boundary);
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('supports every method, and keeps only the root open', async () => {
    using tree = tempTree(['f']);
    await using boundary = openWith(driver, tree.path, {});
    const before = openHandles(tree.path);
    for (const run of Object.values(methods)) await run(boundary);
    expect(openHandles(tree.path)).toEqual(before);
    expect(listTree(tree.path)).toEqual(['f = xy']);
  });

  test('knows its level, name, kind and paths', async () => {
    using tree = tempTree(['app/f', 'link => app']);
    await using boundary = openWith(driver, tree.at('link'), {});
    expect(boundary).toMatchObject({ level: driver.level, name: 'link', kind: 'directory' });
    expect(boundary.spellings).toEqual([tree.at('link'), tree.at('app')]);
    await using file = openWith(driver, tree.at('app', 'f'), { name: 'notes' });
    expect(file).toMatchObject({ name: 'notes', kind: 'file' });
  });

  test('knows that it was moved or removed, if its driver can tell', async () => {
    using tree = tempTree(['app/f', 'link => app', 'gone/']);
    await using boundary = openWith(driver, tree.at('link'), {});
    await using file = openWith(driver, tree.at('app', 'f'), {});
    await using removed = openWith(driver, tree.at('gone'), {});
    const moved = (): boolean[] => [boundary, file, removed].map(({ hasMoved }) => hasMoved);
    expect(moved()).toEqual([false, false, false]);
    renameSync(tree.at('app'), tree.at('old'));
    rmdirSync(tree.at('gone'));
    const isKnown = driver.level === 'kernel';
    expect(moved()).toEqual([isKnown, isKnown, isKnown]);
    renameSync(tree.at('old'), tree.at('app'));
    expect(boundary.hasMoved).toBe(false);
  });

  test.each(Object.keys(methods))('%s refuses after close, and touches nothing', async (name) => {
    using tree = tempTree(['f', 'd/g']);
    const boundary = openWith(driver, tree.path, { name: 'app' });
    const content = listTree(tree.path);
    await boundary.close();
    // Takes the number that the root had.
    await using other = openWith(driver, tree.path, {});
    await expect((async () => methods[name]?.(boundary))()).rejects.toMatchObject({
      code: 'CLOSED',
      data: { root: 'app' },
    });
    expect(listTree(tree.path)).toEqual(content);
    expect(other.name).not.toBe('app');
  });
});

test('the list above covers every method', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  // `runConfined` needs bubblewrap, and has its own tests.
  expect([...Object.keys(methods), 'guarded', 'holding', 'close', 'runConfined'].toSorted()).toEqual(
    publicMethods(boundary).toSorted(),
  );
});

describe('closing', () => {
  test('waits for running operations', async () => {
    using tree = tempTree(['f']);
    const boundary = await openBoundary(tree.path);
    const reading = boundary.readText('f');
    await boundary.close();
    expect(await reading).toBe('f');
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('twice is the same as once', async () => {
    using tree = tempTree(['f']);
    await using boundary = await openBoundary(tree.path);
    await Promise.all([boundary.close(), boundary.close()]);
    await boundary.close();
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('happens at the end of a scope', async () => {
    using tree = tempTree(['f']);
    {
      await using boundary = await openBoundary(tree.path);
      expect(await boundary.readText('f')).toBe('f');
    }
    expect(openHandles(tree.path)).toEqual([]);
  });
});

describe('a guarded boundary', () => {
  test('has rules that the other has not', async () => {
    using tree = tempTree(['f', 'secret']);
    await using boundary = await openBoundary(tree.path);
    const guarded = boundary.guarded((_operation, relative) =>
      relative === 'secret' ? new Error('no') : undefined,
    );
    expect(await boundary.readText('secret')).toBe('secret');
    expect(await guarded.readText('f')).toBe('f');
    await expect(guarded.readText('secret')).rejects.toThrow('no');
    expect(guarded).toMatchObject({ name: boundary.name, level: boundary.level, kind: boundary.kind });
  });

  test('shares the handle, whichever is closed', async () => {
    using tree = tempTree(['f']);
    const boundary = await openBoundary(tree.path);
    const guarded = boundary.guarded(() => undefined);
    await guarded.close();
    await expect(boundary.readText('f')).rejects.toMatchObject({ code: 'CLOSED' });
    await boundary.close();
    expect(openHandles(tree.path)).toEqual([]);
  });
});
