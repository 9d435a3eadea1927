import { expect, test } from 'vitest';
import { scrollTo, windowOf } from './virtual-list.tsx';

const sight = { count: 10_000, rowHeight: 50, top: 0, height: 500 };

test('creates only the visible rows, and a few more', () => {
  expect(windowOf(sight)).toEqual({ from: 0, to: 16 });
  expect(windowOf({ ...sight, top: 5_000 })).toEqual({ from: 94, to: 116 });
});

test('shows the end of a list that became shorter, and nothing of an empty one', () => {
  expect(windowOf({ ...sight, count: 3, top: 9_000 })).toEqual({ from: 3, to: 3 });
  expect(windowOf({ ...sight, count: 0 })).toEqual({ from: 0, to: 0 });
  expect(windowOf({ ...sight, top: -40 }).from).toBe(0);
});

test('scrolls a row into view, and no further', () => {
  expect(scrollTo(5, sight)).toBe(0);
  expect(scrollTo(20, sight)).toBe(550);
  expect(scrollTo(2, { ...sight, top: 1_000 })).toBe(100);
});
