import { lstatSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHandles } from '../../test/open-handles.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { openOwnDirectory } from './open-own-directory.ts';

test('makes what is missing, for its owner alone, and leaves nothing open', async () => {
  using tree = tempTree();
  const before = openHandles(tree.path);
  const boundary = await openOwnDirectory(tree.at('a', 'b', 'c'));
  await boundary.write('f', 'x');
  await boundary.close();
  for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c']])
    expect([names, lstatSync(tree.at(...names)).mode & 0o777]).toEqual([names, 0o700]);
  expect(openHandles(tree.path)).toEqual(before);
});

test('takes a directory as it is, also through a link', async () => {
  using tree = tempTree(['real/', 'link => $TREE/real']);
  await using boundary = await openOwnDirectory(tree.at('link', 'new'));
  await boundary.write('f', 'x');
  expect(lstatSync(tree.at('real', 'new', 'f')).isFile()).toBe(true);
});

test('refuses a file in its place', async () => {
  using tree = tempTree(['file']);
  await expect(openOwnDirectory(tree.at('file'))).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
  await expect(openOwnDirectory(tree.at('file', 'x'))).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
});
