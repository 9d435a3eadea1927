import { expect, test } from 'vitest';
import { createRedisNames, usualPrefix } from './redis-names.ts';

const names = createRedisNames(usualPrefix, '0');

test('related keys lie in the same part of a cluster', () => {
  expect(names.session('s')).toContain('{s}');
  expect(names.requests('s')).toContain('{s}');
  expect(names.lease('n')).toContain('{n}');
  expect(names.channel('n')).toContain('{n}');
});

test('all names are different', () => {
  const { session, requests, stream, lease, channel, allNodes, index, grants } = names;
  const all = [session('x'), requests('x'), stream('x'), lease('x'), allNodes, index, grants];
  expect(new Set(all).size).toBe(all.length);
  expect([allNodes, index, grants]).not.toContain(channel('x'));
});

test('two deployments have no name in common, by their prefix or their database', () => {
  expect(createRedisNames('other', '0').allNodes).not.toBe(names.allNodes);
  expect(createRedisNames('other', '0').index).not.toBe(names.index);
  expect(createRedisNames('other', '0').session('x')).not.toBe(names.session('x'));
  expect(createRedisNames(usualPrefix, '1').allNodes).not.toBe(names.allNodes);
});

test.each(['', 'a b', '{a}', 'a:b', 'x'.repeat(65)])('%j is not a prefix', (prefix) => {
  expect(() => createRedisNames(prefix, '0')).toThrow('a prefix is');
});
