import { expect, test } from 'vitest';
import { wait } from './browser-means.ts';

test('waiting ends in time, and at once when it is pointless', async () => {
  await wait(1, new AbortController().signal);
  const stop = new AbortController();
  const waiting = wait(600_000, stop.signal);
  stop.abort();
  await waiting;
  await wait(600_000, stop.signal);
  expect(stop.signal.aborted).toBe(true);
});
