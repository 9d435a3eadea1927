import { expect, test } from 'vitest';
import { ClientCalls } from './client-calls.ts';
import { frameOf } from './wire-frame.ts';

function request(id: string | number, params: object = {}) {
  return frameOf({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

test('progress belongs to a call as long as one with its token is open', () => {
  const calls = new ClientCalls();
  calls.add(request(1, { _meta: { progressToken: 't' } }));
  calls.add(request(2, { _meta: { progressToken: 't' } }));
  expect(calls.end(1)?.token).toBe('t');
  expect(calls.takesProgress('t')).toBe(true);
  calls.end(2);
  expect(calls.takesProgress('t')).toBe(false);
  expect(calls.takesProgress({})).toBe(false);
});

test('the progress of a task goes on after its answer', () => {
  const calls = new ClientCalls();
  calls.add(request(1, { task: {}, _meta: { progressToken: 't' } }));
  calls.end(1);
  expect(calls.takesProgress('t')).toBe(true);
});

test('a call ends once; the ids 1 and "1" are two', async () => {
  const calls = new ClientCalls();
  calls.add(request(1));
  calls.add(request('1'));
  calls.judge(1, { verdict: 'allow', rule: 'r', reason: '' });
  const idle = calls.idle(() => 1);
  expect(calls.end(1)?.decision?.rule).toBe('r');
  await idle;
  expect(calls.end(1)).toBeUndefined();
  expect(calls.all()).toHaveLength(1);
  calls.end('1');
  await calls.idle();
});
