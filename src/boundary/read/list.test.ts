import { linkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { isHidden, list, openDirectory } from './list.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('lists the entries with their kinds, links as links', async () => {
    using tree = tempTree(['f', 'd/x', 'to-d => d', 'out => ../x', 'pipe|']);
    using context = openContext(tree.path, { driver });
    expect(await list(context, '.')).toEqual({
      entries: [
        { name: 'd', kind: 'directory' },
        { name: 'f', kind: 'file' },
        { name: 'out', kind: 'link' },
        { name: 'pipe', kind: 'FIFO' },
        { name: 'to-d', kind: 'link' },
      ],
      truncated: false,
    });
    expect((await list(context, 'to-d')).entries).toEqual([{ name: 'x', kind: 'file' }]);
  });

  test('measures everything but links, if sizes are wanted', async () => {
    using tree = tempTree(['f = four', 'd/x', 'to-f => f', 'out => ../x']);
    using context = openContext(tree.path, { driver });
    const { entries } = await list(context, '.', { sizes: true });
    expect(entries.map(({ name, size }) => [name, name === 'd' ? typeof size : size])).toEqual([
      ['d', 'number'],
      ['f', 4],
      ['out', undefined],
      ['to-f', undefined],
    ]);
  });

  test.each([
    ['f', 'NOT_A_DIRECTORY'],
    ['f/', 'NOT_A_DIRECTORY'],
    ['to-f', 'NOT_A_DIRECTORY'],
    ['pipe', 'NOT_A_DIRECTORY'],
    ['missing', 'NOT_FOUND'],
    ['out', 'OUTSIDE_ROOTS'],
  ])('refuses %s with %s, and keeps nothing open', async (path, code) => {
    using tree = tempTree(['f', 'to-f => f', 'pipe|', 'out => ..']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    await expect(list(context, path)).rejects.toMatchObject({ code, data: { path } });
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test('sorts by name, the same everywhere', async () => {
  using tree = tempTree(['b', 'a', 'B', 'ä', '10', '9', '.z', 'a.b', 'a b']);
  using context = openContext(tree.path);
  const { entries } = await list(context, '.');
  expect(entries.map(({ name }) => name)).toEqual(['.z', '10', '9', 'B', 'a', 'a b', 'a.b', 'b', 'ä']);
});

describe('a limit', () => {
  test.each([
    [2, 2, true],
    [3, 3, false],
    [4, 3, false],
    [0, 0, true],
  ])('of %d leaves %d of 3 entries, truncated: %s', async (limit, length, truncated) => {
    using tree = tempTree(['a', 'b', 'c']);
    using context = openContext(tree.path);
    const listing = await list(context, '.', { limit });
    expect(listing.entries).toHaveLength(length);
    expect(listing.truncated).toBe(truncated);
  });

  test('of the boundary applies, whatever a call asks for', async () => {
    using tree = tempTree(['a', 'b', 'c']);
    using context = openContext(tree.path, { limits: { fileSize: 0, listEntries: 1 } });
    expect((await list(context, '.')).entries).toHaveLength(1);
    expect((await list(context, '.', { limit: 3 })).entries).toHaveLength(1);
  });

  test('counts visible entries, not those that the guard hides', async () => {
    using tree = tempTree(['a', 'b', 'secret-1', 'secret-2']);
    using context = openContext(tree.path, { guard: hide(/secret/) });
    expect(await list(context, '.', { limit: 2 })).toMatchObject({
      entries: [{ name: 'a' }, { name: 'b' }],
      truncated: false,
    });
  });
});

function hide(pattern: RegExp) {
  return (_operation: string, relative: string) => (pattern.test(relative) ? new Error('no') : undefined);
}

describe('the guard', () => {
  test('hides entries, by their real path', async () => {
    using tree = tempTree(['d/.env', 'd/a', 'link => d']);
    using context = openContext(tree.path, { guard: hide(/^d\/\.env$/) });
    expect((await list(context, 'link')).entries).toEqual([{ name: 'a', kind: 'file' }]);
    expect(isHidden(context, 'd', '.env')).toBe(true);
    expect(isHidden(context, 'd', 'a')).toBe(false);
    expect(isHidden(context, '', '.env')).toBe(false);
  });

  test('keeps a directory from being listed', async () => {
    using tree = tempTree(['d/a']);
    using context = openContext(tree.path, { guard: hide(/^d$/) });
    await expect(list(context, 'd')).rejects.toThrow('no');
  });
});

describe('a listing that is aborted', () => {
  test('before it begins fails with the reason, however small it is', async () => {
    using tree = tempTree(['a']);
    using context = openContext(tree.path);
    const before = openHandles(tree.path);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(list(context, '.', { signal })).rejects.toThrow('enough');
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('ends between two parts of a large directory', async () => {
    using tree = tempTree();
    const name = (index: number) => String(index).padStart(250, '0');
    writeFileSync(tree.at(name(0)), '');
    for (let index = 1; index < 2_500; index += 1) linkSync(tree.at(name(0)), tree.at(name(index)));
    using context = openContext(tree.path, { limits: { fileSize: 0, listEntries: 10_000 } });
    const before = openHandles(tree.path);
    expect((await list(context, '.')).entries).toHaveLength(2_500);
    const controller = new AbortController();
    const listing = list(context, '.', { signal: controller.signal });
    controller.abort();
    await expect(listing).rejects.toMatchObject({ name: 'AbortError' });
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test('an open directory knows its real names from the root', () => {
  using tree = tempTree(['a/b/', 'link => a/b']);
  using context = openContext(tree.path);
  for (const [path, relative] of [
    ['.', ''],
    ['a/b', 'a/b'],
    ['link/', 'a/b'],
  ] as const) {
    const opened = openDirectory(context, { operation: 'list', verb: 'list', path });
    expect(opened.relative).toBe(relative);
    context.driver.close(opened.directory);
  }
});
