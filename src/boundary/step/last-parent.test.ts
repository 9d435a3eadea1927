import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { topsAt } from '../../../test/support/trees/known-tops.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { hostPlatform } from '../../path/platform.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { RootwardError } from '../../errors.ts';
import type { Driver } from '../system/driver.ts';
import type { KnownTops } from './context.ts';
import { findTop } from './find-top.ts';
import { LastParent } from './last-parent.ts';

const layout = [
  'code/one/in/a.txt',
  'code/two/b.txt',
  'code/notes.txt',
  'code/link => two',
  'code/out => $TREE/other',
  'other/three/c.txt',
  'way => code',
] as const;

const paths = [
  'code/one',
  'code/two',
  'code/notes.txt',
  'code/link',
  'code/out/three',
  'code/none',
  'code/one/in',
  'code/one/../two',
  'code',
  'way/one',
  'way/two',
  'other/three',
] as const;

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each([[[]], [['code']], [['code/one', 'code/two', 'other/three']], [['code/one', 'code/one/in']]])(
    'a root is found beside another as it is alone, with the roots %j',
    (roots) => {
      using tree = tempTree(layout);
      const tops = topsAt(tree, roots);
      const alone = new Map(paths.map((path) => [path, find(driver, tree, { path, tops })]));
      for (const first of paths) {
        for (const second of paths) {
          const lastParent = new LastParent(driver);
          find(driver, tree, { path: first, tops, lastParent });
          const beside = find(driver, tree, { path: second, tops, lastParent });
          expect([first, second, beside]).toEqual([first, second, alone.get(second)]);
          lastParent.close();
        }
      }
      expect(openHandles(tree.path)).toEqual([]);
    },
  );

  test('holds a directory only where no root and no link led to it', () => {
    using tree = tempTree(layout);
    const parentsAfter = (path: string, ...roots: readonly string[]): readonly string[] => {
      const lastParent = new LastParent(driver);
      find(driver, tree, { path, tops: topsAt(tree, roots), lastParent });
      const parents = ['code', 'way', 'code/one', 'other'];
      const held = parents.filter((parent) => lastParent.at(tree.at(parent)) !== undefined);
      lastParent.close();
      return held;
    };
    expect(parentsAfter('code/one')).toEqual(['code']);
    expect(parentsAfter('code/one', 'code/two')).toEqual(['code']);
    expect(parentsAfter('code/one', 'code')).toEqual([]);
    expect(parentsAfter('code/one/in', 'code/one')).toEqual([]);
    expect(parentsAfter('way/one')).toEqual([]);
  });
});

interface Sought {
  readonly path: string;
  readonly tops: KnownTops;
  readonly lastParent?: LastParent;
}

function find(driver: Driver, tree: TempTree, { path, ...options }: Sought): unknown {
  try {
    const found = findTop(driver, tree.at(path), { platform: hostPlatform, ...options });
    if ('missing' in found) return { missing: true, holder: found.holder };
    const { top, ...rest } = found;
    const real = driver.realPath(top);
    driver.close(top);
    return { real, ...rest };
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return error.code;
  }
}
