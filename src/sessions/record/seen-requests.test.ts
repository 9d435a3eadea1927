import { expect, test } from 'vitest';
import { SeenRequests } from './seen-requests.ts';

test('a request is remembered for a minute', () => {
  const seen = new SeenRequests();
  expect(seen.see(['a', 'b'], { came: 0, arrival: 1 })).toBe(false);
  expect(seen.see(['b', 'c'], { came: 59_999, arrival: 2 })).toBe(true);
  expect(seen.sweep(60_000)).toBe(1);
  expect(seen.see(['a'], { came: 60_000, arrival: 3 })).toBe(false);
  expect(seen.sweep(200_000)).toBe(0);
});

test('only the same arrival can forget a request', () => {
  const seen = new SeenRequests();
  seen.see(['a'], { came: 0, arrival: 1 });
  seen.forget(['a', 'unknown'], 2);
  expect(seen.see(['a'], { came: 1, arrival: 3 })).toBe(true);
  seen.forget(['a'], 1);
  expect(seen.see(['a'], { came: 2, arrival: 4 })).toBe(false);
});
