import { expect, test } from 'vitest';
import { FinishedCalls } from './finished-calls.ts';

const end = (id: number, text = '') => ({ jsonrpc: '2.0', id, result: { text } }) as const;

test('an end is known for a while', () => {
  let now = 0;
  const finished = new FinishedCalls({ life: 1_000, now: () => now });
  finished.keep('a', end(1));
  now = 999;
  expect(finished.find('a')).toEqual(end(1));
  expect(finished.find('b')).toBeUndefined();
  now = 1_000;
  expect(finished.find('a')).toBeUndefined();
});

test('of two ends the first counts', () => {
  const finished = new FinishedCalls();
  finished.keep('a', end(1, 'first'));
  finished.keep('a', end(1, 'second'));
  expect(finished.find('a')).toEqual(end(1, 'first'));
});

test('the oldest make room, and what is too large is not kept', () => {
  const finished = new FinishedCalls({ most: 1_000 });
  finished.keep('a', end(1, 'x'.repeat(400)));
  finished.keep('b', end(2, 'x'.repeat(400)));
  finished.keep('c', end(3, 'x'.repeat(400)));
  expect(finished.find('a')).toBeUndefined();
  expect(finished.find('b')).toBeDefined();
  expect(finished.find('c')).toBeDefined();
  finished.keep('d', end(4, 'x'.repeat(2_000)));
  expect(finished.find('d')).toBeUndefined();
});
