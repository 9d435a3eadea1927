import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readOnce } from './read-once.ts';
import { type BuildDirectory, firstOf, textOf, valueOf } from './build-system.ts';

test('files are read if they are there and can be', async () => {
  using tree = tempTree(['a.json = {"x":1}', 'b.json = {']);
  await using boundary = await openBoundary(tree.path);
  const directory: BuildDirectory = { names: ['a.json', 'b.json'], above: [], read: readOnce(boundary) };
  expect(await valueOf(directory, 'a.json', 'json')).toEqual({ x: 1 });
  expect(await valueOf(directory, 'b.json', 'json')).toBeUndefined();
  expect(await valueOf(directory, 'c.json', 'json')).toBeUndefined();
  expect(await textOf(directory, 'b.json')).toBe('{');
  expect(await textOf(directory, 'c.json')).toBe('');
  expect(await textOf(directory, undefined)).toBe('');
  expect(firstOf(directory, ['c.json', 'b.json', 'a.json'])).toBe('b.json');
  expect(firstOf(directory, ['c.json'])).toBeUndefined();
});
