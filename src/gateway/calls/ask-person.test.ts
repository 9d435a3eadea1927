import { expect, test } from 'vitest';
import { askThroughElicitation } from './ask-person.ts';

const { signal } = new AbortController();

test.each([
  [{ action: 'accept', content: { allow: true } }, true],
  [{ action: 'accept', content: { allow: 'true' } }, false],
  [{ action: 'accept' }, false],
  [{ action: 'decline', content: { allow: true } }, false],
  [undefined, false],
])('the answer %j means %j', async (answer, meaning) => {
  const asked: unknown[] = [];
  const client = { ask: async (method: string, params: unknown) => (asked.push([method, params]), answer) };
  const ask = askThroughElicitation(client, () => ({ elicitation: { form: {} } }), 'srv');
  expect(await ask('rm', signal)).toBe(meaning);
  expect(JSON.stringify(asked)).toContain('Allow \\"rm\\" of \\"srv\\" to run, this time?');
});

test.each([[{}], [{ elicitation: { url: {} } }]])('a client with %j is not asked', async (capabilities) => {
  const client = { ask: () => Promise.reject(new Error('asked')) };
  expect(await askThroughElicitation(client, () => capabilities, 'srv')('rm', signal)).toBeUndefined();
});
