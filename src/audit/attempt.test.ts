import { expect, test } from 'vitest';
import { attempt } from './attempt.ts';

test('keeps what came back', async () => {
  expect(await attempt(() => 1)).toEqual({ result: 1 });
  expect(await attempt(async () => undefined)).toEqual({ result: undefined });
});

test('keeps what was thrown, whatever it is', async () => {
  const error = new Error('x');
  expect(await attempt(() => Promise.reject(error))).toEqual({ error });
  expect(
    await attempt(() => {
      throw error;
    }),
  ).toEqual({ error });
});
