import { describe, expect, test } from 'vitest';
import { openEndpoint } from '../../test/support/http/open-endpoint.ts';
import { beginSession, call, initialize, send } from '../../test/support/http/raw.ts';

describe('a body', () => {
  test.each<[string, number, number, unknown]>([
    ['that is no JSON', 400, -32_700, '{"jsonrpc":'],
    ['that is empty', 400, -32_700, ''],
    ['that is no JSON-RPC', 400, -32_600, { hello: 'world' }],
    ['that is an empty batch', 400, -32_600, []],
    ['of another version of JSON-RPC', 400, -32_600, { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['whose id is null', 400, -32_600, { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['whose id is an object', 400, -32_600, { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['whose params are a list', 400, -32_600, { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }],
    ['with a result and an error', 400, -32_600, { jsonrpc: '2.0', id: 1, result: {}, error: {} }],
    ['of a call without a session', 400, -32_000, call(1, 'echo', { text: 'x' })],
  ])('%s is refused', async (_what, status, code, body) => {
    await using endpoint = await openEndpoint();
    const response = await send(endpoint, { body });
    expect(response.status).toBe(status);
    expect(response.json().error?.code).toBe(code);
    expect(endpoint.stage.built).toEqual([]);
  });
});

test('a deeply nested body fails alone', async () => {
  await using endpoint = await openEndpoint();
  const depth = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  const body = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":${depth}}}`;
  expect((await send(endpoint, { body })).status).toBeGreaterThanOrEqual(400);
  expect((await send(endpoint, { body: initialize })).status).toBe(200);
});

describe('an answer', () => {
  test('is JSON if no event comes before it', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const response = await send(endpoint, { headers, body: call(1, 'echo', { text: 'x' }) });
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'x' }] } });
  });

  test('does not reveal an internal error', async () => {
    await using endpoint = await openEndpoint({
      createServer: () => {
        throw new Error('the secret is 42');
      },
    });
    const response = await send(endpoint, { body: initialize });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('42');
    expect(endpoint.events[0]).toMatchObject({ kind: 'failed', error: new Error('the secret is 42') });
  });
});
