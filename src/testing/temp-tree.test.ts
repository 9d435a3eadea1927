import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from './temp-tree.ts';

test('creates files, directories, links and FIFOs, and removes them', () => {
  const tree = tempTree(['a/b.txt', 'c.txt = hello', 'd/', 'l => a/b.txt', 'abs => $TREE/d', 'p|']);
  expect(readFileSync(tree.at('a', 'b.txt'), 'utf8')).toBe('a/b.txt');
  expect(readFileSync(tree.at('c.txt'), 'utf8')).toBe('hello');
  expect(lstatSync(tree.at('d')).isDirectory()).toBe(true);
  expect(readlinkSync(tree.at('l'))).toBe('a/b.txt');
  expect(readlinkSync(tree.at('abs'))).toBe(tree.at('d'));
  expect(lstatSync(tree.at('p')).isFIFO()).toBe(true);
  tree.add('later');
  expect(existsSync(tree.at('later'))).toBe(true);
  tree[Symbol.dispose]();
  expect(existsSync(tree.path)).toBe(false);
});

test('writes a text literally, whatever it contains', () => {
  using tree = tempTree(['a = x = y => z/', 'b = ']);
  expect(readFileSync(tree.at('a'), 'utf8')).toBe('x = y => z/');
  expect(readFileSync(tree.at('b'), 'utf8')).toBe('');
});
