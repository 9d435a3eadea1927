import { linkSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import type { Boundary } from '../boundary.ts';
import { openWith } from '../open-boundary.ts';

const layout = ['a/pkg/in.txt', 'sub/x', 'notes.txt', 'free.txt', 'link => a/pkg', 'dir/notes.txt'] as const;

function identityAt(tree: TempTree, path: string): string {
  const { dev, ino } = statSync(tree.at(path), { bigint: true });
  return `${dev}:${ino}`;
}

function holding(boundary: Boundary, tree: TempTree): Boundary {
  const directories = new Set([identityAt(tree, 'a'), identityAt(tree, 'a/pkg')]);
  const files = new Map([[identityAt(tree, '.'), new Set(['notes.txt'])]]);
  return boundary.holding({ directories, files, ownerOf: () => undefined });
}

const refused = { code: 'HOLDS_ROOT' };

describe.each(drivers)('another root in this one, with the %s driver', (_name, driver) => {
  test.each(['a', 'a/', 'a/pkg', 'sub/../a/pkg', 'a/./pkg/', 'notes.txt', 'sub/../notes.txt'])(
    'is neither renamed nor removed nor replaced as %s',
    async (path) => {
      using tree = tempTree(layout);
      await using plain = openWith(driver, tree.path, {});
      const boundary = holding(plain, tree);
      const before = listTree(tree.path);
      await expect(boundary.rename(path, 'new')).rejects.toMatchObject(refused);
      await expect(boundary.remove(path)).rejects.toMatchObject(refused);
      await expect(boundary.remove(path, { tree: true })).rejects.toMatchObject(refused);
      const other = path.includes('notes') ? 'free.txt' : 'sub';
      await expect(boundary.rename(other, path, { replace: true })).rejects.toMatchObject(refused);
      expect(listTree(tree.path)).toEqual(before);
      // Only this refuses it.
      await plain.rename(path, 'new');
      expect(listTree(tree.path)).not.toEqual(before);
    },
  );

  test('does not restrict its content, links to it, and other names of its file', async () => {
    using tree = tempTree(layout);
    linkSync(tree.at('notes.txt'), tree.at('second'));
    linkSync(tree.at('notes.txt'), tree.at('dir/third'));
    await using plain = openWith(driver, tree.path, {});
    const boundary = holding(plain, tree);
    await boundary.rename('a/pkg/in.txt', 'a/pkg/out.txt');
    await boundary.remove('link');
    await boundary.remove('dir/notes.txt');
    await boundary.remove('dir/third');
    await boundary.remove('sub', { tree: true });
    await boundary.rename('free.txt', 'a/pkg/free.txt');
    await boundary.write('notes.txt', 'new');
    // A file that was written has a new identity under the same name.
    await expect(boundary.remove('notes.txt')).rejects.toMatchObject(refused);
    await boundary.remove('second');
    expect(listTree(tree.path)).toEqual([
      'a/',
      'a/pkg/',
      'a/pkg/free.txt = free.txt',
      'a/pkg/out.txt = a/pkg/in.txt',
      'dir/',
      'notes.txt = new',
    ]);
  });

  test('stops the removal of a tree that holds it, even if it appeared only now', async () => {
    using tree = tempTree(['tree/first/', 'tree/pkg/in.txt']);
    await using plain = openWith(driver, tree.path, {});
    const directories = new Set([identityAt(tree, 'tree/pkg')]);
    const boundary = plain.holding({ directories, files: new Map(), ownerOf: () => undefined });
    writeFileSync(tree.at('tree/pkg/more.txt'), '');
    await expect(boundary.remove('tree', { tree: true })).rejects.toMatchObject(refused);
    expect(listTree(tree.at('tree/pkg'))).toHaveLength(2);
  });
});
