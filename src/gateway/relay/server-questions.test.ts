import { expect, test } from 'vitest';
import { ServerQuestions } from './server-questions.ts';
import { frameOf, readFrame, type WireFrame } from './wire-frame.ts';

const ask = (id: string | number): WireFrame =>
  frameOf({ jsonrpc: '2.0', id, method: 'sampling/createMessage' });
const answer = (id: string | number): WireFrame => frameOf({ jsonrpc: '2.0', id, result: {} });
const idIn = (bytes: Buffer | undefined): unknown => bytes && readFrame(bytes)?.id;

test('the first process keeps its ids and its bytes', () => {
  const questions = new ServerQuestions();
  const question = ask(0);
  expect(questions.ask(question)).toBe(question.bytes);
  expect(idIn(questions.answer(answer(0)))).toBe(0);
  expect(questions.answer(answer(0))).toBeUndefined();
});

test('a later process gets ids that none before had, of the same type', () => {
  const questions = new ServerQuestions();
  questions.ask(ask(0));
  questions.ask(ask(4));
  questions.ask(ask('a'));
  questions.restart();
  const [number, text] = [idIn(questions.ask(ask(0))), idIn(questions.ask(ask('a')))];
  expect([number, text]).toEqual([5, 'rw-1-a']);
  // Late answers to questions of the first process.
  for (const id of [0, 4, 'a']) expect(questions.answer(answer(id))).toBeUndefined();
  expect(idIn(questions.answer(answer(5)))).toBe(0);
  expect(idIn(questions.answer(answer('rw-1-a')))).toBe('a');
});

test('a question that is taken back has the id that the client knows', () => {
  const questions = new ServerQuestions();
  const back = frameOf({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 0, reason: 'x' },
  });
  expect(questions.takeBack(back)).toBeUndefined();
  questions.ask(ask(0));
  expect(questions.takeBack(back)).toBe(back.bytes);
  questions.restart();
  questions.ask(ask(0));
  expect(questions.takeBack(back)?.toString()).toContain('"requestId":1');
});
