import { expect, test } from 'vitest';
import { AnswerPending } from '../policy/settle.ts';
import { Account } from './account.ts';
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

test('has not ended while an answer is waited for, unless something was changed', async () => {
  const pending = new AnswerPending('later');
  const account = new Account();
  await expect(attempt(() => Promise.reject(pending), account)).rejects.toBe(pending);
  account.changed({ kind: 'written', relative: 'a' });
  expect(await attempt(() => Promise.reject(pending), account)).toEqual({ error: pending });
});
