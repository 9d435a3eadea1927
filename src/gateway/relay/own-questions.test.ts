import { expect, test } from 'vitest';
import { OwnQuestions, QuestionFailed } from './own-questions.ts';
import { frameOf } from './wire-frame.ts';

test('an answer settles its question once, and others are not taken', async () => {
  const own = new OwnQuestions();
  const sent: { id?: string }[] = [];
  const answer = own.ask('roots/list', undefined, (message) => sent.push(message));
  const id = sent[0]?.id;
  expect(own.take(frameOf({ jsonrpc: '2.0', id: 1, result: {} }))).toBe(false);
  expect(new OwnQuestions().take(frameOf({ jsonrpc: '2.0', id, result: {} }))).toBe(false);
  expect(own.take(frameOf({ jsonrpc: '2.0', id, result: { roots: [] } }))).toBe(true);
  expect(await answer).toEqual({ roots: [] });
});

test('an error and the end of the other side fail it, with a code', async () => {
  const own = new OwnQuestions();
  const [refused, open] = [own.nextId(), own.nextId()].map((id) => ({ id, answer: own.expect(id) }));
  own.take(frameOf({ jsonrpc: '2.0', id: refused?.id, error: { code: -32_601, message: 'no' } }));
  await expect(refused?.answer).rejects.toEqual(new QuestionFailed(-32_601, 'no'));
  own.close('gone');
  await expect(open?.answer).rejects.toMatchObject({ code: -32_000, message: 'gone' });
});
