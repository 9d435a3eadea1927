import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createKeyedDigest } from '../../sessions/record/sealing.ts';
import type { RpcMessage } from './json-rpc.ts';
import { nodeOf, questionOf, type AnswerWaiter, WaitingAnswers } from './waiting-answers.ts';

const node = 'n'.repeat(16);
const digest = createKeyedDigest([randomBytes(32)], 'test');
const maker = {
  nodeId: node,
  digest: (...parts: readonly string[]) => digest.of(...parts),
  isDigest: (text: string, ...parts: readonly string[]) => digest.matches(text, ...parts),
};
const asked = { session: 's', principal: 'p' };

function expectOne(): { waiting: WaitingAnswers; id: string; waiter: AnswerWaiter } {
  const waiting = new WaitingAnswers(maker);
  const waiter = {
    session: 's',
    principal: 'p',
    answer: vi.fn<AnswerWaiter['answer']>(),
    progress: vi.fn<AnswerWaiter['progress']>(),
  };
  return { waiting, waiter, id: waiting.expect(waiter) };
}

const answerTo = (id: string): RpcMessage => ({ jsonrpc: '2.0', id, result: {} });

test('the id of a question names its node and cannot be guessed', () => {
  const { id, waiting, waiter } = expectOne();
  expect(nodeOf(maker, id, asked)).toEqual({ node });
  expect(id).toMatch(/^n{16}\.[\w-]{59}$/);
  expect(waiting.expect(waiter)).not.toBe(id);
});

test('an answer reaches its waiter once', () => {
  const { waiting, waiter, id } = expectOne();
  const envelope = { session: 's', principal: 'p', message: answerTo(id) };
  expect([waiting.take(envelope), waiting.take(envelope)]).toEqual(['taken', 'unknown']);
  expect(waiter.answer).toHaveBeenCalledExactlyOnceWith(answerTo(id));
  expect(waiting.size).toBe(0);
});

test.each([
  { session: 'other', principal: 'p' },
  { session: 's', principal: 'other' },
])('an answer from %j is forged, and the question stays open', (sender) => {
  const { waiting, waiter, id } = expectOne();
  expect(waiting.take({ ...sender, message: answerTo(id) })).toBe('forged');
  expect(waiter.answer).not.toHaveBeenCalled();
  expect(waiting.size).toBe(1);
});

test('progress is reported and does not end the question', () => {
  const { waiting, waiter, id } = expectOne();
  const message: RpcMessage = {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: id },
  };
  expect(waiting.take({ session: 's', principal: 'p', message })).toBe('taken');
  expect(waiter.progress).toHaveBeenCalledExactlyOnceWith(message);
  expect(waiting.size).toBe(1);
});

test('a forgotten question takes no answer', () => {
  const { waiting, id } = expectOne();
  waiting.forget(id);
  expect(waiting.take({ session: 's', principal: 'p', message: answerTo(id) })).toBe('unknown');
});

test.each(['', 'x', 'n.x', `${node}.`, `${node}.${'x'.repeat(60)}`, `${node}.${'x'.repeat(58)}/`])(
  '%j names no node',
  (id) => {
    expect(nodeOf(maker, id, asked)).toBeUndefined();
  },
);

test.each([
  { session: 'other', principal: 'p' },
  { session: 's', principal: 'other' },
])('any node can tell that %j was not asked', (sender) => {
  const { id } = expectOne();
  expect(nodeOf(maker, id, sender)).toBe('forged');
  expect(nodeOf(maker, id.replace(/^n/, 'm'), asked)).toBe('forged');
});

test('an answer with a numeric id matches no question', () => {
  expect(questionOf({ jsonrpc: '2.0', id: 5, result: {} })).toBeUndefined();
});
