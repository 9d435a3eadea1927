import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { pruneGlobs } from './prune-globs.ts';

async function prune(entries: readonly string[], relative: string): Promise<readonly string[]> {
  using tree = tempTree(entries);
  await using boundary = await openBoundary(tree.path);
  return await pruneGlobs(boundary, relative);
}

test('names that are left out everywhere, from all files above', async () => {
  const entries = [
    '.gitignore = node_modules/\r\n/anchored\na/b\n*.log\n# note\n',
    'p/.gitignore = dist\n',
    'p/q/',
  ];
  expect(await prune(entries, 'p/q')).toEqual(['node_modules/', 'dist']);
});

test('nothing at the root, without files, and where a rule takes something back', async () => {
  expect(await prune(['.gitignore = dist\n'], '.')).toEqual([]);
  expect(await prune(['p/'], 'p')).toEqual([]);
  expect(await prune(['.gitignore = dist\n!keep\n', 'p/'], 'p')).toEqual([]);
});
