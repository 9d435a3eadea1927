import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';

/** The result of a walk from a directory, with the rules of `.gitignore` files. */
async function walkFrom(path: string, entries: readonly string[]): Promise<readonly string[]> {
  using tree = tempTree(entries);
  await using boundary = await openBoundary(tree.path);
  const found: string[] = [];
  for await (const entry of boundary.walk(path, { gitignore: true })) found.push(entry.path);
  return found.toSorted();
}

test('the rules of a directory apply in the directories below, wherever a walk starts', async () => {
  const entries = ['.gitignore = *.log\n/src/out\n', 'src/a.log', 'src/a.ts', 'src/out/b.ts'];
  expect(await walkFrom('src', entries)).toEqual(['src/a.ts']);
});

test('rules in between apply from their own directory on', async () => {
  const entries = ['a/.gitignore = /b/x\n', 'a/b/x', 'a/b/y'];
  expect(await walkFrom('a/b', entries)).toEqual(['a/b/y']);
});

test('an ignored directory can be walked by starting there', async () => {
  const entries = ['.gitignore = node_modules\n', 'node_modules/p/index.js'];
  expect(await walkFrom('node_modules/p', entries)).toEqual(['node_modules/p/index.js']);
  expect(await walkFrom('.', entries)).toEqual(['.gitignore']);
});

test('without rules above nothing changes', async () => {
  expect(await walkFrom('src', ['src/a.log'])).toEqual(['src/a.log']);
});
