import { linkSync, lstatSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { changeMode, makeDirectory, requirePlainMode } from './make-directory.ts';

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
  test('makes all missing directories', () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    makeDirectory(context, 'a/b/c', { parents: true });
    expect(listTree(tree.path)).toEqual(['a/', 'a/b/', 'a/b/c/']);
  });

  test.each(['.', 'a', 'a/b', 'to-a', 'to-a/b'])('accepts %s', (path) => {
    using tree = tempTree(['a/b/', 'to-a => a']);
    using context = openContext(tree.path);
    expect(() => makeDirectory(context, path, { parents: true })).not.toThrow();
  });

  test.each([
    ['f', 'ALREADY_EXISTS'],
    ['to-f', 'ALREADY_EXISTS'],
    ['f/a', 'NOT_A_DIRECTORY'],
    ['out', 'OUTSIDE_ROOTS'],
  ])('refuses %s: %s', (path, code) => {
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

test('a refused mode is shown in octal', () => {
  expect(() => requirePlainMode('f', 0o4755)).toThrow('Cannot give "f" the mode 4755');
  for (const mode of [0, 0o644, 0o777]) expect(() => requirePlainMode('f', mode)).not.toThrow();
});

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o7777;
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('changes files, directories, and what a link leads to', () => {
    using tree = tempTree(['f', 'd/g', 'link => d/g']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    changeMode(context, 'f', 0o600);
    changeMode(context, 'd/', 0o700);
    changeMode(context, 'link', 0o640);
    expect([tree.at('f'), tree.at('d'), tree.at('d', 'g')].map(modeOf)).toEqual([0o600, 0o700, 0o640]);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test.each([
    ['.', 'IS_ROOT'],
    ['d/..', 'IS_ROOT'],
    ['f/', 'NOT_A_DIRECTORY'],
    ['missing', 'NOT_FOUND'],
    ['pipe', 'SPECIAL_FILE'],
    ['out', 'OUTSIDE_ROOTS'],
    ['two', 'HARD_LINK'],
  ])('refuses %s with %s', (path, code) => {
    using tree = tempTree(['ROOT/d/', 'ROOT/f', 'ROOT/pipe|', 'secret', 'ROOT/out => ../secret', 'ROOT/one']);
    linkSync(tree.at('ROOT', 'one'), tree.at('ROOT', 'two'));
    using context = openContext(tree.at('ROOT'), { driver, hardLinks: 'refuse' });
    const before = openHandles(tree.path);
    const secret = modeOf(tree.at('secret'));
    expect(() => changeMode(context, path, 0o711)).toThrow(expect.objectContaining({ code }));
    expect(modeOf(tree.at('secret'))).toBe(secret);
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test.each([0o1777, 0o2755, 0o4755, 0o10000, -1, 1.5])('refuses the bits of %o', (mode) => {
  using tree = tempTree(['f']);
  using context = openContext(tree.path);
  const before = modeOf(tree.at('f'));
  expect(() => changeMode(context, 'f', mode)).toThrow(expect.objectContaining({ code: 'INVALID_MODE' }));
  expect(modeOf(tree.at('f'))).toBe(before);
});

test('refuses a root that is a file', () => {
  using tree = tempTree(['f']);
  using context = openContext(tree.path, { only: 'f' });
  expect(() => changeMode(context, '.', 0o600)).toThrow(expect.objectContaining({ code: 'IS_ROOT' }));
});
