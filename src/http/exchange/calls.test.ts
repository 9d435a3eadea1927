import { expect, test, vi } from 'vitest';
import { FinishedCalls, type OpenCall, OpenCalls } from './calls.ts';

const newCall = (): OpenCall => ({
  cancel: vi.fn<OpenCall['cancel']>(),
  abandon: vi.fn<OpenCall['abandon']>(),
});

test('calls are found by session and id, and a number is not a text', () => {
  const calls = new OpenCalls();
  const call = newCall();
  calls.add('s', [1, 'a'], call);
  expect(calls.find('s', 1)).toBe(call);
  expect(calls.find('s', '1')).toBeUndefined();
  expect(calls.find('other', 1)).toBeUndefined();
  expect([calls.count('s'), calls.count('other')]).toEqual([2, 0]);
});

test('finished calls are removed', () => {
  const calls = new OpenCalls();
  calls.add('s', [1], newCall());
  calls.add('s', [2], newCall());
  calls.remove('s', [1, 5]);
  calls.remove('other', [1]);
  expect(calls.count('s')).toBe(1);
  expect(calls.find('s', 1)).toBeUndefined();
});

test('each call of an ended session is abandoned once', () => {
  const calls = new OpenCalls();
  const [mine, other] = [newCall(), newCall()];
  calls.add('s', [1, 2], mine);
  calls.add('t', [1], other);
  calls.abandon('s');
  calls.abandon('nobody');
  expect(mine.abandon).toHaveBeenCalledOnce();
  expect(other.abandon).not.toHaveBeenCalled();
});

const end = (id: number, text = '') => ({ jsonrpc: '2.0', id, result: { text } }) as const;

test('keeps a result for a while', () => {
  let now = 0;
  const finished = new FinishedCalls({ life: 1_000, now: () => now });
  finished.keep('a', end(1));
  now = 999;
  expect(finished.find('a')).toEqual(end(1));
  expect(finished.find('b')).toBeUndefined();
  now = 1_000;
  expect(finished.find('a')).toBeUndefined();
});

test('keeps the first of two results', () => {
  const finished = new FinishedCalls();
  finished.keep('a', end(1, 'first'));
  finished.keep('a', end(1, 'second'));
  expect(finished.find('a')).toEqual(end(1, 'first'));
});

test('the oldest results make room, and one that is too large is not kept', () => {
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
