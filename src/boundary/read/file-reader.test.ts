import { renameSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';

test('reads parts of one file, even after its name went to another', async () => {
  using tree = tempTree(['a = 0123456789']);
  await using boundary = await openBoundary(tree.path);
  await using reader = await boundary.open('a');
  expect(reader.info).toMatchObject({ kind: 'file', size: 10 });
  renameSync(tree.at('a'), tree.at('b'));
  writeFileSync(tree.at('a'), 'another file');
  expect(String(await reader.read(2, 3))).toBe('234');
  expect(String(await reader.read(8, 100))).toBe('89');
  expect(String(await reader.read(100, 1))).toBe('');
});

test('has the id of its file, under any name', async () => {
  using tree = tempTree(['a', 'b']);
  await using boundary = await openBoundary(tree.path);
  await using reader = await boundary.open('a');
  renameSync(tree.at('a'), tree.at('c'));
  await using again = await boundary.open('c');
  await using other = await boundary.open('b');
  expect(again.id).toBe(reader.id);
  expect(other.id).not.toBe(reader.id);
});

test('keeps the boundary open until it is closed, and closing twice closes once', async () => {
  using tree = tempTree(['a']);
  const boundary = await openBoundary(tree.path);
  const reader = await boundary.open('a');
  const order: string[] = [];
  const closed = boundary.close().then(() => order.push('boundary'));
  expect(String(await reader.read(0, 1))).toBe('a');
  order.push('reader');
  await reader.close();
  await reader.close();
  await closed;
  expect(order).toEqual(['reader', 'boundary']);
});

test('refuses to read after its close, and entries that are not regular files', async () => {
  using tree = tempTree(['a', 'd/']);
  await using boundary = await openBoundary(tree.path);
  const reader = await boundary.open('a');
  await reader.close();
  await expect(reader.read(0, 1)).rejects.toMatchObject({ code: 'CLOSED' });
  await expect(boundary.open('d')).rejects.toMatchObject({ code: 'IS_A_DIRECTORY' });
});

test.each([
  [-1, 1],
  [0, -1],
  [0.5, 1],
  [0, 3e9],
])('refuses a part from %d of %d bytes', async (position, length) => {
  using tree = tempTree(['a']);
  await using boundary = await openBoundary(tree.path);
  await using reader = await boundary.open('a');
  await expect(reader.read(position, length)).rejects.toMatchObject({ code: 'INVALID_RANGE' });
});
