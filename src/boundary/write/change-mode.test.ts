import { linkSync, lstatSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/boundary-context.ts';
import { openHandles } from '../../../test/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { changeMode } from './change-mode.ts';

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
