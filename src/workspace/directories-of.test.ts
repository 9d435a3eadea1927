import { expect, test } from 'vitest';
import { openBoundary } from '../boundary/open-boundary.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { directoriesOf } from './directories-of.ts';

test('gives each directory once, with its entries by name', async () => {
  using tree = tempTree(['a/x', 'a/b/y', 'c/', 'f']);
  await using boundary = await openBoundary(tree.path);
  const seen = new Map<string, readonly string[]>();
  for await (const { prefix, entries } of directoriesOf(boundary.walk('.'))) {
    expect(seen.has(prefix)).toBe(false);
    seen.set(prefix, entries.map(({ name }) => name).toSorted());
  }
  expect(Object.fromEntries(seen)).toEqual({ '': ['a', 'c', 'f'], 'a/': ['b', 'x'], 'a/b/': ['y'] });
});

test('puts the parts of a very large directory together', async () => {
  using tree = tempTree(Array.from({ length: 3_000 }, (_, index) => String(index).padStart(200, '0')));
  await using boundary = await openBoundary(tree.path);
  const sizes: number[] = [];
  for await (const { entries } of directoriesOf(boundary.walk('.'))) sizes.push(entries.length);
  expect(sizes).toEqual([3_000]);
});
