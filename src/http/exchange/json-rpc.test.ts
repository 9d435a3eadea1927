import { describe, expect, test } from 'vitest';
import { echoId, sortMessages } from './json-rpc.ts';

const request = { jsonrpc: '2.0', id: 1, method: 'a' };
const notification = { jsonrpc: '2.0', method: 'b', params: {} };
const response = { jsonrpc: '2.0', id: 'x', result: {} };

describe('messages', () => {
  test('are sorted by kind', () => {
    expect(sortMessages([response, request, notification])).toEqual({
      batch: true,
      requests: [request],
      notifications: [notification],
      responses: [response],
    });
    expect(sortMessages(request)).toMatchObject({ batch: false, requests: [request] });
  });

  test.each([
    undefined,
    null,
    5,
    'x',
    [],
    [[]],
    {},
    { ...request, jsonrpc: '1.0' },
    { ...request, id: null },
    { ...request, id: 1.5 },
    { ...request, id: true },
    { ...request, method: 5 },
    { ...request, params: 'x' },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', result: {} },
    { ...response, error: {} },
    [request, 5],
  ])('are not %j', (body) => {
    expect(sortMessages(body)).toBeUndefined();
  });
});

test.each([
  [request, 1],
  [{ id: 'a', method: 'x' }, 'a'],
  [response, undefined],
  [notification, undefined],
  [[request], undefined],
  ['x', undefined],
])('an error about %j has the id %j', (body, id) => {
  expect(echoId(body)).toBe(id);
});
