import { expect, test, vi } from 'vitest';
import { answerWithin, askWithin, bounded } from './wait.ts';

const never = new Promise<never>(() => undefined);

test('a value in time is the result', async () => {
  expect(await bounded(Promise.resolve(5), { patience: 1_000 })).toEqual({ value: 5 });
});

test('a rejection passes through', async () => {
  await expect(bounded(Promise.reject(new Error('no')), { patience: 1_000 })).rejects.toThrow('no');
});

test('the wait ends after its patience', async () => {
  expect(await bounded(never, { patience: 5 })).toEqual({ ended: 'late' });
});

test('the wait ends with an abort, before or during it', async () => {
  expect(await bounded(never, { patience: 60_000, signal: AbortSignal.abort() })).toEqual({
    ended: 'aborted',
  });
  const controller = new AbortController();
  const ended = bounded(never, { patience: 60_000, signal: controller.signal });
  controller.abort();
  expect(await ended).toEqual({ ended: 'aborted' });
});

test('no timer is left', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await Promise.all(Array.from({ length: 100 }, () => bounded(Promise.resolve(), { patience: 60_000 })));
  expect(timers()).toBeLessThanOrEqual(before);
});

test('returns the answer or the failure, and leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    expect(await answerWithin(Promise.resolve(42), 1_000)).toBe(42);
    await expect(answerWithin(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('does not wait forever', async () => {
  vi.useFakeTimers();
  try {
    const answer = answerWithin(new Promise(() => {}), 1_000);
    vi.advanceTimersByTime(1_000);
    expect(await answer).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test('a question is withdrawn when its time is over, when its caller gives up, and when it was answered', async () => {
  const signals: AbortSignal[] = [];
  const ask = (answer: unknown) => (signal: AbortSignal) => {
    signals.push(signal);
    return answer;
  };
  expect(await askWithin(ask(never), { patience: 5 })).toEqual({ ended: 'late' });
  expect(await askWithin(ask(never), { patience: 60_000, signal: AbortSignal.abort() })).toEqual({
    ended: 'aborted',
  });
  expect(await askWithin(ask('yes'), { patience: 60_000 })).toEqual({ value: 'yes' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

test('a question that fails after its time is over fails alone', async () => {
  let fail = (_error: Error): void => undefined;
  const late = new Promise<never>((_resolve, reject) => (fail = reject));
  expect(await askWithin(() => late, { patience: 1, ref: false })).toEqual({ ended: 'late' });
  fail(new Error('nobody listens'));
  expect(
    await askWithin(() => Promise.reject(new Error('no')), { patience: 1_000, signal: AbortSignal.abort() }),
  ).toEqual({ ended: 'aborted' });
});
