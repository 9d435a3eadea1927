import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findStart, spellAbove } from './find-start.ts';

describe('findStart', () => {
  test.each([
    ['a directory', 'dir', 'dir', 'dir'],
    ['a directory with a slash', 'dir/', 'dir', 'dir'],
    ['a file', 'dir/file', 'dir', 'dir'],
    ['a file that does not exist', 'dir/gone', 'dir', 'dir'],
    ['a FIFO', 'dir/pipe', 'dir', 'dir'],
    ['a link to a directory', 'link', 'link', 'dir'],
    ['a file beneath a link', 'link/file', 'link', 'dir'],
    ['a link to a file', 'to-file', '.', '.'],
    ['a link to itself', 'dir/loop', 'dir', 'dir'],
    ['a link that leads nowhere', 'dir/broken', 'dir', 'dir'],
    ['a way with dots', 'dir/../dir/./file', 'dir', 'dir'],
  ])('begins at the directory of %s', async (_case, path, spelled, real) => {
    using tree = tempTree([
      'dir/file',
      'dir/pipe|',
      'dir/loop => loop',
      'dir/broken => nowhere',
      'link => dir',
      'to-file => dir/file',
    ]);
    expect(await findStart(`${tree.path}/${path}`)).toEqual({
      spelled: tree.at(spelled),
      real: tree.at(real),
      skipped: 0,
    });
  });

  test.each(['gone/file', 'gone/gone/', 'file/x', 'loop/x', 'broken/x', `${'x'.repeat(300)}/y`])(
    'begins nowhere for %s',
    async (path) => {
      using tree = tempTree(['file', 'loop => loop', 'broken => nowhere', 'x']);
      // "file/x" is no path of anything, though "file" exists.
      expect(await findStart(tree.at(path))).toBeUndefined();
    },
  );

  test.each(['', 'a\u0000b', '/a\u0000/b', `/${'x'.repeat(40_000)}`])(
    'begins nowhere for no path',
    async (path) => {
      expect(await findStart(path)).toBeUndefined();
    },
  );

  test('passes over directories that are too deep to open, and counts them', async () => {
    using tree = tempTree();
    const names = Array.from({ length: 20 }, () => 'n'.repeat(250));
    await using top = await openBoundary(tree.path);
    await top.makeDirectory(names.join('/'), { parents: true });
    try {
      const start = await findStart(tree.at(...names, 'file'));
      const depth = start === undefined ? 0 : relative(tree.path, start.real).split('/').length;
      expect(start?.skipped).toBe(names.length - depth);
      expect(depth).toBeGreaterThan(10);
    } finally {
      await top.remove(names[0] ?? '', { tree: true });
    }
  });

  test('takes a relative path from where the process is', async () => {
    expect((await findStart('src'))?.spelled).toBe(`${process.cwd()}/src`);
  });
});

describe('spellAbove', () => {
  test('keeps the spelling of the caller where it leads to the same directory', async () => {
    using tree = tempTree(['real/app/src/', 'link => real', 'into => real/app/src']);
    const start = await findStart(tree.at('link/app/src'));
    expect(start === undefined ? '' : await spellAbove(start, tree.at('real/app'))).toBe(tree.at('link/app'));
    const into = await findStart(tree.at('into'));
    expect(into === undefined ? '' : await spellAbove(into, tree.at('real/app'))).toBe(tree.at('real/app'));
    expect(into === undefined ? '' : await spellAbove(into, tree.at('real/app/src'))).toBe(tree.at('into'));
  });
});
