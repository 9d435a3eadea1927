import { expect, test, vi } from 'vitest';
import { type OpenCall, OpenCalls } from './calls.ts';

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

test('calls that are over are gone', () => {
  const calls = new OpenCalls();
  calls.add('s', [1], newCall());
  calls.add('s', [2], newCall());
  calls.remove('s', [1, 5]);
  calls.remove('other', [1]);
  expect(calls.count('s')).toBe(1);
  expect(calls.find('s', 1)).toBeUndefined();
});

test('each call of a session that ends is abandoned once', () => {
  const calls = new OpenCalls();
  const [mine, other] = [newCall(), newCall()];
  calls.add('s', [1, 2], mine);
  calls.add('t', [1], other);
  calls.abandon('s');
  calls.abandon('nobody');
  expect(mine.abandon).toHaveBeenCalledOnce();
  expect(other.abandon).not.toHaveBeenCalled();
});
