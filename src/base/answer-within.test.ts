import { expect, test, vi } from 'vitest';
import { answerWithin } from './answer-within.ts';

test('gives the answer, or what went wrong, and leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    expect(await answerWithin(Promise.resolve(42), 1_000)).toBe(42);
    await expect(answerWithin(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('does not wait for ever', async () => {
  vi.useFakeTimers();
  try {
    const answer = answerWithin(new Promise(() => {}), 1_000);
    vi.advanceTimersByTime(1_000);
    expect(await answer).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
