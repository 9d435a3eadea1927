import { expect, test } from 'vitest';
import { createMemorySink } from '../../audit/sink.ts';
import type { Decision } from '../../policy/decision.ts';
import { ClientCalls } from '../relay/client-calls.ts';
import { frameOf, type WireFrame } from '../relay/wire-frame.ts';
import { CallDesk } from './call-desk.ts';
import { CallLog } from './call-record.ts';

type Decide = (frame: WireFrame, signal: AbortSignal) => Decision | Promise<Decision> | undefined;

function open(decide: Decide, isNewer = false) {
  const calls = new ClientCalls();
  const audit = createMemorySink();
  const log = new CallLog(audit, { server: 's' }, () => undefined);
  const passed: unknown[] = [];
  const replies: object[] = [];
  const desk = new CallDesk({
    calls,
    gate: { decide },
    log: () => log,
    isNewer: () => isNewer,
    pass: ({ id }) => void passed.push(id),
    reply: (message) => void replies.push(message),
  });
  const take = (id: number, method = 'tools/call', params: object = { name: 't' }): void => {
    const frame = frameOf({ jsonrpc: '2.0', id, method, params });
    calls.add(frame);
    desk.take(frame);
  };
  return { calls, audit, passed, replies, desk, take };
}

const no: Decision = { verdict: 'deny', rule: 'r', reason: 'no' };

test('a refusal has the form of its method and of the era', () => {
  const older = open(() => no);
  older.take(1);
  older.take(2, 'resources/read', { uri: 'file:///x' });
  expect(older.replies).toMatchObject([
    { id: 1, result: { isError: true } },
    { id: 2, error: { code: -32_002 } },
  ]);
  const newer = open(() => no, true);
  newer.take(1);
  newer.take(2, 'resources/read', { uri: 'file:///x' });
  expect(newer.replies).toMatchObject([{ result: { resultType: 'complete' } }, { error: { code: -32_602 } }]);
  expect(newer.passed).toEqual([]);
});

test('a call that is cancelled before its decision is neither passed nor answered', async () => {
  let decide: (decision: Decision) => void = () => undefined;
  const { desk, take, passed, replies, audit } = open(() => new Promise((resolve) => (decide = resolve)));
  take(1);
  expect(desk.cancel(1)).toBe(false);
  decide(no);
  await new Promise((resolve) => setImmediate(resolve));
  expect([passed, replies]).toEqual([[], []]);
  expect(audit.entries()).toMatchObject([{ outcome: 'cancelled' }]);
  expect([desk.cancel(1), desk.cancel({})]).toEqual([true, true]);
});

test('a decision that fails is a no', async () => {
  const { take, replies, calls } = open(() => Promise.reject(new Error('broken')));
  take(1);
  await calls.idle();
  expect(JSON.stringify(replies)).toContain('broken');
});

test('when the server ends, calls fail that have reached it, and no others', () => {
  const { desk, take, replies } = open((frame) =>
    frame.id === 3 ? new Promise(() => undefined) : undefined,
  );
  for (const id of [1, 2, 3]) take(id);
  desk.failAll('it ended', [frameOf({ jsonrpc: '2.0', id: 2, method: 'tools/call' })]);
  expect(replies).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'it ended' } }]);
  desk.close();
  expect(desk.answered(frameOf({ jsonrpc: '2.0', id: 2, result: {} }))?.method).toBe('tools/call');
});
