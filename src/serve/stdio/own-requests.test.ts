import { expect, test } from 'vitest';
import { OwnRequests } from './own-requests.ts';

const ask = { jsonrpc: '2.0', id: 0, method: 'roots/list' } as const;

test('two connections never use the same id', () => {
  const [one, other] = [new OwnRequests().outgoing(ask), new OwnRequests().outgoing(ask)];
  expect(one).toMatchObject({ id: expect.stringMatching(/^rootward-[\w-]{12}-0$/) });
  expect(other).not.toEqual(one);
});

test('an answer is translated back once; others are no answers', () => {
  const requests = new OwnRequests();
  const { id } = requests.outgoing(ask) as { id: string };
  const answer = { jsonrpc: '2.0', id, result: { roots: [] } } as const;
  expect(requests.response({ ...answer, id: 0 })).toBeUndefined();
  expect(new OwnRequests().response(answer)).toBeUndefined();
  expect(requests.response(answer)).toEqual({ ...answer, id: 0 });
  expect(requests.response(answer)).toBeUndefined();
});

test('the token of progress and the id of a cancelled request are translated with the request', () => {
  const requests = new OwnRequests();
  const asked = requests.outgoing({ ...ask, params: { _meta: { progressToken: 0 } } });
  const { id, params } = asked as { id: string; params: unknown };
  expect(params).toEqual({ _meta: { progressToken: id } });
  const progress = {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: id },
  } as const;
  expect(requests.incoming(progress).params).toEqual({ progressToken: 0 });
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } } as const;
  expect(requests.outgoing(cancel)).toEqual({ ...cancel, params: { requestId: id } });
  expect(requests.incoming(progress)).toBe(progress);
});

test('a bounded number of requests is open', () => {
  const requests = new OwnRequests();
  const { id: first } = requests.outgoing(ask) as { id: string };
  for (let next = 1; next <= 1_000; next += 1) requests.outgoing({ ...ask, id: next });
  expect(requests.response({ id: first, result: {} })).toBeUndefined();
});
