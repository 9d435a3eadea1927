import { expect, test } from 'vitest';
import { FairWatch, late } from './fair-watch.ts';

const never = new Promise<never>(() => {});

test('a value in time is returned', async () => {
  const watch = new FairWatch(1_000);
  expect(await watch.bound(Promise.resolve(1))).toBe(1);
  await expect(watch.bound(Promise.reject(new Error('no')))).rejects.toThrow('no');
  watch.close();
});

test('a wait ends at its limit', async () => {
  const watch = new FairWatch(100);
  const begun = performance.now();
  await expect(watch.bound(never)).rejects.toBe(late);
  expect(performance.now() - begun).toBeGreaterThan(50);
  watch.close();
});

test('time in which the process could not read does not count', async () => {
  const watch = new FairWatch(50);
  const answer = new Promise((resolve) => setTimeout(resolve, 40, 'answer'));
  const waiting = watch.bound(answer);
  const until = performance.now() + 200;
  while (performance.now() < until);
  expect(await waiting).toBe('answer');
  watch.close();
});

test('close ends all waits', async () => {
  const watch = new FairWatch(60_000);
  const waiting = watch.bound(never);
  watch.close();
  await expect(waiting).rejects.toBe(late);
});

test.each([
  ['answered', () => Promise.resolve()],
  ['refused', () => Promise.reject(new Error('no connection'))],
])('a wait is not longer because other waits are %s meanwhile', async (_how, act) => {
  const watch = new FairWatch(100);
  const begun = performance.now();
  const forgotten = watch.bound(never);
  const others = setInterval(() => void watch.bound<unknown>(act()).catch(() => {}), 5);
  await expect(forgotten).rejects.toBe(late);
  expect(performance.now() - begun).toBeLessThan(10_000);
  clearInterval(others);
  watch.close();
});
