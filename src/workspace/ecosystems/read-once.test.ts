import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readOnce } from './read-once.ts';

test('reads a manifest once, whatever happens to it then', async () => {
  using tree = tempTree(['package.json = { "name": "a" }']);
  await using boundary = await openBoundary(tree.path);
  const read = readOnce(boundary);
  expect(await read('package.json', 'json')).toEqual({ value: { name: 'a' } });
  writeFileSync(tree.at('package.json'), '{ "name": "b" }');
  expect(await read('package.json', 'json')).toEqual({ value: { name: 'a' } });
  expect(await readOnce(boundary)('package.json', 'json')).toEqual({ value: { name: 'b' } });
});

test('keeps formats and files apart, and issues too', async () => {
  using tree = tempTree(['a.json = { "name": "a" }', 'b.json = {']);
  await using boundary = await openBoundary(tree.path);
  const read = readOnce(boundary);
  expect(await read('a.json', 'json')).toEqual({ value: { name: 'a' } });
  expect(await read('a.json', 'text')).toEqual({ value: '{ "name": "a" }' });
  expect(await read('b.json', 'json')).toEqual({ issue: expect.stringContaining('"b.json"') });
});
