import { expect, test } from 'vitest';
import { FairWatch, late } from './fair-watch.ts';

const never = new Promise<never>(() => {});

test('what comes in time comes', async () => {
  const watch = new FairWatch(1_000, { inTurn: true });
  expect(await watch.bound(Promise.resolve(1))).toBe(1);
  await expect(watch.bound(Promise.reject(new Error('no')))).rejects.toThrow('no');
  watch.close();
});

test('what does not come is not waited for any longer', async () => {
  const watch = new FairWatch(100, { inTurn: true });
  const begun = performance.now();
  await expect(watch.bound(never)).rejects.toBe(late);
  expect(performance.now() - begun).toBeGreaterThan(50);
  watch.close();
});

test('time in which nobody could look does not count', async () => {
  const watch = new FairWatch(50, { inTurn: true });
  const answer = new Promise((resolve) => setTimeout(resolve, 40, 'answer'));
  const waiting = watch.bound(answer);
  const until = performance.now() + 200;
  while (performance.now() < until);
  expect(await waiting).toBe('answer');
  watch.close();
});

test('who closes ends all waits', async () => {
  const watch = new FairWatch(60_000, { inTurn: true });
  const waiting = watch.bound(never);
  watch.close();
  await expect(waiting).rejects.toBe(late);
});

test('as long as others are answered in turn, the turn of a wait may still come', async () => {
  const watch = new FairWatch(400, { inTurn: true });
  const patient = watch.bound(new Promise((resolve) => setTimeout(resolve, 1_000, 'my turn')));
  for (let turn = 0; turn < 14; turn += 1) {
    await watch.bound(new Promise((resolve) => setTimeout(resolve, 70)));
  }
  expect(await patient).toBe('my turn');
  watch.close();
});

test('but not for ever', async () => {
  const watch = new FairWatch(20, { inTurn: true });
  const forgotten = watch.bound(never);
  const others = setInterval(() => void watch.bound(Promise.resolve()), 2);
  await expect(forgotten).rejects.toBe(late);
  clearInterval(others);
  watch.close();
});

test.each([
  ['a refusal is no answer', true, () => Promise.reject(new Error('no connection'))],
  ['others answer for themselves', false, () => Promise.resolve()],
])('%s: a wait is not longer because of it', async (_why, inTurn, act) => {
  const watch = new FairWatch(100, { inTurn });
  const begun = performance.now();
  const forgotten = watch.bound(never);
  const others = setInterval(() => void watch.bound<unknown>(act()).catch(() => {}), 5);
  await expect(forgotten).rejects.toBe(late);
  expect(performance.now() - begun).toBeLessThan(400);
  clearInterval(others);
  watch.close();
});
