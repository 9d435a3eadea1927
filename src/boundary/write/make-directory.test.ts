import { lstatSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/boundary-context.ts';
import { openHandles } from '../../../test/open-handles.ts';
import { listTree } from '../../../test/list-tree.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { makeDirectory, requirePlainMode } from './make-directory.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each(['new', 'new/', 'a/new', 'to-a/new', './a/../new'])('makes %s', (path) => {
    using tree = tempTree(['a/', 'to-a => a']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    makeDirectory(context, path);
    expect(listTree(tree.path).filter((entry) => entry.endsWith('new/'))).toHaveLength(1);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test.each([
    ['a', 'ALREADY_EXISTS'],
    ['f', 'ALREADY_EXISTS'],
    ['to-a', 'ALREADY_EXISTS'],
    ['dangling', 'ALREADY_EXISTS'],
    ['.', 'ALREADY_EXISTS'],
    ['missing/new', 'NOT_FOUND'],
    ['f/new', 'NOT_A_DIRECTORY'],
    ['../new', 'OUTSIDE_ROOTS'],
    ['out/new', 'OUTSIDE_ROOTS'],
  ])('refuses %s with %s', (path, code) => {
    using tree = tempTree(['ROOT/a/', 'ROOT/f', 'ROOT/to-a => a', 'ROOT/dangling => new', 'ROOT/out => ..']);
    using context = openContext(tree.at('ROOT'), { driver });
    const content = listTree(tree.path);
    expect(() => makeDirectory(context, path)).toThrow(expect.objectContaining({ code }));
    expect(listTree(tree.path)).toEqual(content);
  });
});

describe('with parents', () => {
  test('makes the whole way', () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    makeDirectory(context, 'a/b/c', { parents: true });
    expect(listTree(tree.path)).toEqual(['a/', 'a/b/', 'a/b/c/']);
  });

  test.each(['.', 'a', 'a/b', 'to-a', 'to-a/b'])('is content with %s', (path) => {
    using tree = tempTree(['a/b/', 'to-a => a']);
    using context = openContext(tree.path);
    expect(() => makeDirectory(context, path, { parents: true })).not.toThrow();
  });

  test.each([
    ['f', 'ALREADY_EXISTS'],
    ['to-f', 'ALREADY_EXISTS'],
    ['f/a', 'NOT_A_DIRECTORY'],
    ['out', 'OUTSIDE_ROOTS'],
  ])('is not content with %s: %s', (path, code) => {
    using tree = tempTree(['f', 'to-f => f', 'out => ../new']);
    using context = openContext(tree.path);
    expect(() => makeDirectory(context, path, { parents: true })).toThrow(expect.objectContaining({ code }));
  });
});

test('gives the mode, before the umask', () => {
  using tree = tempTree();
  using context = openContext(tree.path);
  const before = process.umask(0o027);
  try {
    makeDirectory(context, 'plain');
    makeDirectory(context, 'private', { mode: 0o700 });
  } finally {
    process.umask(before);
  }
  expect(lstatSync(tree.at('plain')).mode & 0o777).toBe(0o750);
  expect(lstatSync(tree.at('private')).mode & 0o777).toBe(0o700);
});

test.each([0o1777, 0o2755, 0o4755, 0o1000, -1, 1.5, Number.NaN])('the mode %o is refused', (mode) => {
  using tree = tempTree();
  using context = openContext(tree.path);
  expect(() => makeDirectory(context, 'new', { mode })).toThrow(
    expect.objectContaining({ code: 'INVALID_MODE' }),
  );
  expect(readdirSync(tree.path)).toEqual([]);
});

test('a refused mode is told in octal', () => {
  expect(() => requirePlainMode('f', 0o4755)).toThrow('Cannot give "f" the mode 4755');
  for (const mode of [0, 0o644, 0o777]) expect(() => requirePlainMode('f', mode)).not.toThrow();
});
