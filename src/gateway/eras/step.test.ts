import { expect, test } from 'vitest';
import { answerTo, failTo, notifyTo, passTo, refuseMethod, requestTo } from './step.ts';

test('steps have messages without fields that are not given', () => {
  expect(requestTo('server', 1, 'ping')).toStrictEqual({
    kind: 'send',
    to: 'server',
    message: { jsonrpc: '2.0', id: 1, method: 'ping' },
  });
  expect(notifyTo('client', 'x', { a: 1 })).toMatchObject({ message: { method: 'x', params: { a: 1 } } });
  expect(answerTo('client', 'a', {})).toMatchObject({ message: { id: 'a', result: {} } });
  expect(failTo('client', 0, { code: 1, message: 'm' })).toMatchObject({
    message: { id: 0, error: { code: 1 } },
  });
});

test('a message that passes is the one that was given', () => {
  const message = { jsonrpc: '2.0', method: 'x' } as const;
  expect(passTo('server', message)).toStrictEqual({ kind: 'pass', to: 'server', message });
});

test('an unknown method is answered and recorded', () => {
  expect(refuseMethod('server', 7, 'x/y')).toMatchObject([
    { to: 'server', message: { id: 7, error: { code: -32_601, message: 'Method not found: x/y' } } },
    { kind: 'record', record: { what: 'refused', from: 'server', method: 'x/y' } },
  ]);
});
