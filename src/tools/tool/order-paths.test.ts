import { expect, test } from 'vitest';
import { compare, orderPaths } from './order-paths.ts';

test('what is in a directory follows it, before its neighbours', () => {
  const paths = ['src-old/a', 'src/b', 'src', 'a', 'src/a/z', 'B', 'src-old'];
  expect(orderPaths(paths)).toEqual(['B', 'a', 'src', 'src/a/z', 'src/b', 'src-old', 'src-old/a']);
});

test('compares by code', () => {
  expect([compare('a', 'b'), compare('b', 'a'), compare('a', 'a'), compare('Z', 'a')]).toEqual([
    -1, 1, 0, -1,
  ]);
});
