import { renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { topsAt } from '../../../test/support/trees/known-tops.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { hostPlatform } from '../../path/platform.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import type { Driver } from '../system/driver.ts';
import { findTop } from './find-top.ts';

const layout = [
  'work/pkg/a.txt',
  'work/deep/er/b.txt',
  'work/notes.txt',
  'work/inside => deep/er',
  'work/absolute => $TREE/work/deep',
  'work/up => sub/../../outside',
  'work/out => $TREE/outside',
  'work/gone => nowhere/at/all',
  'work/probe => $TREE/outside/nothing',
  'work/sub/back => ..',
  'work/file => notes.txt',
  'outside/secret',
  'aside => work/deep',
  'round => outside/../work/pkg',
] as const;

/** What is found from there, in words. */
function find(driver: Driver, tree: TempTree, path: string, ...roots: readonly string[]): string {
  const found = findTop(driver, tree.at(path), { platform: hostPlatform, tops: topsAt(tree, roots) });
  const holder = found.holder && `${found.holder.path.slice(tree.path.length + 1)}: ${found.holder.relative}`;
  if ('missing' in found) return `missing${holder === undefined ? '' : `, in ${holder}`}`;
  const real = driver.realPath(found.top).slice(tree.path.length + 1);
  driver.close(found.top);
  const place = found.only === undefined ? real : `${real} ${found.only}`;
  return holder === undefined ? place : `${place}, in ${holder}, ${found.inside.length} inside`;
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each([
    ['work/pkg', 'work/pkg'],
    ['work/notes.txt', 'work notes.txt'],
    ['work/file', 'work notes.txt'],
    ['work/inside', 'work/deep/er'],
    ['work/absolute/er', 'work/deep/er'],
    ['work/up', 'outside'],
    ['work/out', 'outside'],
    ['work/gone', 'missing'],
    ['work/sub/back/pkg', 'work/pkg'],
    ['round', 'work/pkg'],
  ])('without known roots, %s is followed to %s', (path, place) => {
    using tree = tempTree(layout);
    expect(find(driver, tree, path)).toBe(place);
    expect(openHandles(tree.path)).toEqual([]);
  });

  test.each([
    ['work', 'work'],
    ['work/pkg', 'work/pkg, in work: pkg, 1 inside'],
    ['work/notes.txt', 'work notes.txt, in work: notes.txt, 0 inside'],
    ['work/file', 'work notes.txt, in work: notes.txt, 0 inside'],
    ['work/inside', 'work/deep/er, in work: deep/er, 2 inside'],
    ['work/absolute/er', 'work/deep/er, in work: deep/er, 2 inside'],
    ['aside/er', 'work/deep/er, in work: deep/er, 2 inside'],
    ['round', 'work/pkg, in work: pkg, 1 inside'],
    ['work/new/er', 'missing, in work: new/er'],
    ['work/gone', 'missing, in work: nowhere/at/all'],
    ['work/sub/back', 'work, in work: , 0 inside'],
  ])('%s is found in the root that its path leads through: %s', (path, place) => {
    using tree = tempTree(layout);
    expect(find(driver, tree, path, 'work')).toBe(place);
    expect(openHandles(tree.path)).toEqual([]);
  });

  test.each(['work/up', 'work/out', 'work/out/secret', 'work/probe', 'work/sub/back/out'])(
    '%s leads out of a root, and the refusal does not reveal whether something is there',
    (path) => {
      using tree = tempTree(layout);
      expect(() => find(driver, tree, path, 'work')).toThrow(
        expect.objectContaining({
          code: 'OUTSIDE_ROOTS',
          data: { path: tree.at(path), roots: [tree.at('work')] },
        }),
      );
      expect(openHandles(tree.path)).toEqual([]);
    },
  );

  test('a root in a root in a root is held by the innermost one', () => {
    using tree = tempTree([...layout, 'work/deep/er/in/', 'work/deep/er/side => ../../pkg']);
    const roots = ['work', 'work/deep', 'work/deep/er'];
    expect(find(driver, tree, 'work/deep/er/in', ...roots)).toBe(
      'work/deep/er/in, in work/deep/er: in, 3 inside',
    );
    expect(() => find(driver, tree, 'work/deep/er/side', ...roots)).toThrow(
      expect.objectContaining({ code: 'OUTSIDE_ROOTS' }),
    );
  });

  test('a root is recognised by identity, under any name', () => {
    using tree = tempTree(layout);
    const tops = topsAt(tree, ['work']);
    renameSync(tree.at('work'), tree.at('moved'));
    expect(() => findTop(driver, tree.at('moved/up'), { platform: hostPlatform, tops })).toThrow(
      expect.objectContaining({ code: 'OUTSIDE_ROOTS' }),
    );
  });

  test('endless links are refused', () => {
    using tree = tempTree(['loop => loop', 'a => b/x', 'b => a/x']);
    for (const path of ['loop', 'a'])
      expect(() => find(driver, tree, path)).toThrow(expect.objectContaining({ code: 'ELOOP' }));
  });
});
