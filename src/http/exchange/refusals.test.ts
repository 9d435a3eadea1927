import { expect, test } from 'vitest';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { send } from '../../../test/support/http/raw.ts';

test('a refusal is a JSON-RPC error that is not cached', async () => {
  await using endpoint = await openEndpoint();
  const response = await send(endpoint, { body: { jsonrpc: '2.0', id: 7, method: 'tools/list', params: 5 } });
  expect(response.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(response.json()).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32_600, message: 'The body is not a JSON-RPC message' },
  });
});

test('closes the connection where it is of no further use, and keeps it elsewhere', async () => {
  await using endpoint = await openEndpoint();
  expect((await send(endpoint, { without: ['authorization'] })).headers['connection']).toBe('close');
  expect(
    (await send(endpoint, { body: {}, headers: { connection: 'keep-alive' } })).headers['connection'],
  ).toBe('keep-alive');
});
