import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

test('the entries that were set least recently go first', () => {
  const map = new RecentMap([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  map.set('a', 4);
  expect(map.trim(2)).toEqual([2]);
  expect([...map]).toEqual([
    ['c', 3],
    ['a', 4],
  ]);
  expect(map.trim(2)).toEqual([]);
  expect(map.trim(0)).toEqual([3, 4]);
});
