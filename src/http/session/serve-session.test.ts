import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, test, vi } from 'vitest';
import { openEndpoint, otherToken } from '../../../test/support/http/open-endpoint.ts';
import { askForRoots, beginSession, call, initialize, send } from '../../../test/support/http/raw.ts';
import { connectClient, sessionKinds } from '../../../test/support/http/clients.ts';
import { openMemoryStore } from '../../sessions/memory-store.ts';

describe('a batch', () => {
  test('of 2025-03-26 is answered as one, whatever it contains', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint, { version: '2025-03-26' });
    const body = [
      call(1, 'echo', { text: 'a' }),
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      call(2, 'memory'),
      { jsonrpc: '2.0', id: 3, method: 'no/such' },
    ];
    const response = await send(endpoint, { headers, body });
    const answers = response.json() as unknown as { id: number }[];
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: { content: [{ text: 'a' }] } },
      { id: 2, result: { content: [{ text: expect.stringContaining('"generation":1') }] } },
      { id: 3, error: { code: -32_601 } },
    ]);
  });

  test('without requests is accepted', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint, { version: '2025-03-26' });
    const body = [{ jsonrpc: '2.0', method: 'notifications/initialized' }];
    expect((await send(endpoint, { headers, body })).status).toBe(202);
  });

  test.each<[string, string, unknown]>([
    ['of a later revision', '2025-11-25', [call(1, 'echo', { text: 'a' })]],
    ['with initialize', '2025-03-26', [initialize]],
    ['with one id twice', '2025-03-26', [call(1, 'echo', { text: 'a' }), call(1, 'echo', { text: 'b' })]],
    ['that is endless', '2025-03-26', Array.from({ length: 51 }, (_, id) => call(id, 'echo', { text: 'a' }))],
    ['with something else in it', '2025-03-26', [call(1, 'echo', { text: 'a' }), 5]],
  ])('%s is refused as a whole', async (_what, version, body) => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint, { version });
    const before = endpoint.stage.built.length;
    expect((await send(endpoint, { headers, body })).status).toBe(400);
    expect(endpoint.stage.built).toHaveLength(before);
  });
});

describe('an answer', () => {
  test('reaches the node that asked without a session lookup, and only from the client that was asked', async () => {
    const store = openMemoryStore();
    const touch = vi.spyOn(store, 'touch');
    await using endpoint = await openEndpoint({ sessions: store });
    const [mine, other] = [await beginSession(endpoint), await beginSession(endpoint)];
    const { id, rest } = await askForRoots(endpoint, mine);
    touch.mockClear();
    const body = { jsonrpc: '2.0', id, result: { roots: [] } };
    const stranger = { ...mine, authorization: `Bearer ${otherToken}` };
    expect((await send(endpoint, { headers: other, body })).status).toBe(400);
    expect((await send(endpoint, { headers: stranger, body })).status).toBe(404);
    expect(touch).toHaveBeenCalledTimes(2);
    touch.mockClear();
    expect((await send(endpoint, { headers: mine, body })).status).toBe(202);
    expect(touch).not.toHaveBeenCalled();
    expect((await rest.next()).value).toMatchObject({ result: {} });
    // A second copy is refused, and the session still exists.
    expect((await send(endpoint, { headers: mine, body })).status).toBe(400);
    await store.remove(mine['mcp-session-id'] ?? '');
    expect((await send(endpoint, { headers: mine, body })).status).toBe(404);
    await store.close();
  });
});

describe('the same call a second time', () => {
  test('is refused, because it might have side effects', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const body = call(1, 'echo', { text: 'x' });
    expect((await send(endpoint, { headers, body })).status).toBe(200);
    expect((await send(endpoint, { headers, body })).status).toBe(409);
  });

  test('is answered if the first one was refused', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const stranger = { ...headers, authorization: `Bearer ${otherToken}` };
    const body = call(1, 'echo', { text: 'x' });
    const refused = await send(endpoint, { headers: { ...headers, 'mcp-protocol-version': '1999' }, body });
    expect(refused.status).toBe(400);
    expect((await send(endpoint, { headers: stranger, body })).status).toBe(404);
    expect((await send(endpoint, { headers, body })).status).toBe(200);
    expect((await send(endpoint, { headers, body })).status).toBe(409);
    // The refusal did not claim it.
    expect((await send(endpoint, { headers, body })).json().error?.message).toContain('another id');
  });

  test('is answered if the tool has no side effects', async () => {
    await using endpoint = await openEndpoint({ repeatable: ({ params }) => params?.['name'] === 'echo' });
    const headers = await beginSession(endpoint);
    const echo = call(1, 'echo', { text: 'x' });
    expect((await send(endpoint, { headers, body: echo })).status).toBe(200);
    expect((await send(endpoint, { headers, body: echo })).status).toBe(200);
    expect((await send(endpoint, { headers, body: call(2, 'memory') })).status).toBe(200);
    expect((await send(endpoint, { headers, body: call(2, 'memory') })).status).toBe(409);
  });
});

describe('a session', () => {
  test('with an unknown version is refused', async () => {
    await using endpoint = await openEndpoint();
    const headers = { ...(await beginSession(endpoint)), 'mcp-protocol-version': '1999-01-01' };
    expect((await send(endpoint, { headers, body: call(1, 'echo', { text: 'x' }) })).status).toBe(400);
  });

  test.each(sessionKinds)('of SDK %s works with a server of SDK v1', async (kind) => {
    await using endpoint = await openEndpoint({
      createServer: ({ memory }) => {
        const server = new McpServerV1({ name: 'old', version: '1' });
        server.tool('roots', async ({ sendRequest }) => {
          const { roots } = await sendRequest({ method: 'roots/list' }, anything as never, {
            timeout: 5_000,
          });
          const { clientInfo } = memory.current().initialize as { clientInfo: { name: string } };
          return { content: [{ type: 'text', text: JSON.stringify([clientInfo.name, roots]) }] };
        });
        return server;
      },
    });
    await using client = await connectClient(kind, endpoint);
    expect(JSON.parse(await client.call('roots'))).toMatchObject(['tester', [{ uri: 'file:///srv/app' }]]);
  });
});

const anything = {
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
};
