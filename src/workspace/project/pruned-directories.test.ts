import { linkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Boundary } from '../../boundary/boundary.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { directoriesOf, prunedDirectories } from './pruned-directories.ts';

test('every entry is unique, and is one name', () => {
  expect(new Set(prunedDirectories).size).toBe(prunedDirectories.length);
  expect(prunedDirectories.filter((name) => name === '' || /[\\/]/.test(name))).toEqual([]);
});

test.each([
  'node_modules',
  'target',
  '.git',
  'dist',
  'build',
  '.venv',
  'venv',
  '__pycache__',
  'vendor',
  '.gradle',
  '.idea',
])('%s is pruned', (name) => {
  expect(prunedDirectories).toContain(name);
});

async function read(boundary: Boundary): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: [string, readonly string[]][] = [];
  for await (const { prefix, entries } of directoriesOf(boundary.walk('.'))) {
    found.push([prefix, entries.map(({ name }) => name).toSorted()]);
  }
  expect(new Set(found.map(([prefix]) => prefix)).size).toBe(found.length);
  return Object.fromEntries(found);
}

test('yields each directory once, with its names', async () => {
  using tree = tempTree(['a/b/c', 'a/d', 'e', 'empty/', 'new\nline/f']);
  await using boundary = await openBoundary(tree.path);
  expect(await read(boundary)).toEqual({
    '': ['a', 'e', 'empty', 'new\nline'],
    'a/': ['b', 'd'],
    'a/b/': ['c'],
    'new\nline/': ['f'],
  });
});

test('joins the parts of a very large directory', async () => {
  using tree = tempTree(['a/x', 'large/z/y', 'large/first']);
  for (let index = 0; index < 3_000; index += 1) {
    linkSync(tree.at('large', 'first'), tree.at('large', String(index).padStart(200, '0')));
  }
  await using boundary = await openBoundary(tree.path);
  const found = await read(boundary);
  expect(found['large/']).toHaveLength(3_002);
  expect(found['large/z/']).toEqual(['y']);
  expect(found['a/']).toEqual(['x']);
});

test('yields a directory before the walk continues', async () => {
  using tree = tempTree(['a/b/c']);
  await using boundary = await openBoundary(tree.path);
  const directories = directoriesOf(boundary.walk('.'));
  expect((await directories.next()).value?.prefix).toBe('');
  writeFileSync(tree.at('a', 'later'), '');
  expect((await directories.next()).value?.entries).toHaveLength(2);
  await directories.return(undefined);
});

test('yields nothing for an empty directory', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  expect(await read(boundary)).toEqual({});
});
