import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, test } from 'vitest';
import { openEndpoint } from '../../test/http/open-endpoint.ts';
import { beginSession, call, initialize, send } from '../../test/http/raw.ts';
import { connectClient, sessionKinds } from '../../test/http/clients.ts';

describe('a batch', () => {
  test('of 2025-03-26 is answered as one, whatever is in it', async () => {
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

describe('a session', () => {
  test('with a version that nobody knows is refused', async () => {
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
