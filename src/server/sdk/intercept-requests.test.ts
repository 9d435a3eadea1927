import { Server as LowV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Server as LowV2, type McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectServer, introduce } from '../../../test/support/peers/connect-legacy.ts';
import { openRawPeer, type RawPeer } from '../../../test/support/peers/raw-peer.ts';
import { linkWires } from '../../testing/wires.ts';
import { HandlerCall, interceptRequests } from './intercept-requests.ts';
import { type AttachableServer, lowServerOf } from './protocol-server.ts';

const identity = { name: 's', version: '1' };

/** Records what runs, and runs it. */
function intercept(server: AttachableServer): { readonly seen: string[]; readonly stop: () => void } {
  const seen: string[] = [];
  const stop = interceptRequests(lowServerOf(server), (arrival) => {
    seen.push(`${arrival.method} ${JSON.stringify(arrival.params)}`);
    return arrival.run();
  });
  return { seen, stop };
}

async function connect(server: LowV1 | LowV2 | McpServer): Promise<RawPeer> {
  const wires = linkWires();
  await connectServer({ server, tool: () => undefined }, wires.server);
  const client = await openRawPeer(wires.client);
  await introduce(client);
  return client;
}

const listed = { tools: [] };

describe('wraps every handler', () => {
  test('that is registered afterwards, with SDK v2', async () => {
    const server = new LowV2(identity, { capabilities: { tools: {} } });
    const { seen } = intercept(server);
    server.setRequestHandler('tools/list', () => listed);
    const client = await connect(server);
    expect((await client.request('tools/list', { cursor: 'c' }))['result']).toMatchObject(listed);
    expect(seen.some((line) => line.startsWith('tools/list {"cursor":"c"'))).toBe(true);
    await client.close();
  });

  test('that was registered before, with SDK v2', async () => {
    const server = new LowV2(identity, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => listed);
    const { seen } = intercept(server);
    const client = await connect(server);
    await client.request('tools/list');
    expect(seen.filter((line) => line.startsWith('tools/list'))).toHaveLength(1);
    await client.close();
  });

  test('that has schemas of its own and gets bare parameters, with SDK v2', async () => {
    const server = new LowV2(identity);
    const { seen } = intercept(server);
    const schemas = { params: z.object({ a: z.number() }), result: z.object({ b: z.number() }) };
    server.setRequestHandler('x/own', schemas, ({ a }) => ({ b: a + 1 }));
    const client = await connect(server);
    expect((await client.request('x/own', { a: 1 }))['result']).toMatchObject({ b: 2 });
    expect(seen).toContain('x/own {"a":1}');
    await client.close();
  });

  test('that is registered before or afterwards, with SDK v1', async () => {
    for (const order of ['before', 'afterwards']) {
      const server = new LowV1(identity, { capabilities: { tools: {} } });
      const register = (): void => server.setRequestHandler(ListToolsRequestSchema, () => listed);
      if (order === 'before') register();
      const { seen } = intercept(server);
      if (order === 'afterwards') register();
      const client = await connect(server);
      expect((await client.request('tools/list'))['result']).toEqual(listed);
      expect(seen.filter((line) => line.startsWith('tools/list'))).toHaveLength(1);
      await client.close();
    }
  });
});

test('leaves handlers alone that are registered after stopping', async () => {
  const server = new LowV2(identity, { capabilities: { tools: {} } });
  const { seen, stop } = intercept(server);
  expect(Object.hasOwn(server, 'setRequestHandler')).toBe(true);
  stop();
  expect(Object.hasOwn(server, 'setRequestHandler')).toBe(false);
  server.setRequestHandler('tools/list', () => listed);
  const client = await connect(server);
  await client.request('tools/list');
  expect(seen.filter((line) => line.startsWith('tools/list'))).toEqual([]);
  await client.close();
});

test('passes the SDK’s arguments to the handler, and reads both kinds of parameters', () => {
  const handler = (first: unknown, context: unknown): unknown => [first, context];
  const request = { method: 'tools/call', params: { name: 'a' } };
  const whole = new HandlerCall({ method: 'tools/call', handler, bare: false }, request, 'context');
  expect([whole.method, whole.params, whole.run()]).toEqual([
    'tools/call',
    { name: 'a' },
    [request, 'context'],
  ]);
  const bare = new HandlerCall({ method: 'x/own', handler, bare: true }, { name: 'b' }, 'context');
  expect([bare.params, bare.run()]).toEqual([{ name: 'b' }, [{ name: 'b' }, 'context']]);
});

test.each([undefined, null, 5, { method: 'ping' }, { params: 'text' }])('%j has no parameters', (first) => {
  const arrival = new HandlerCall({ method: 'ping', handler: () => undefined, bare: false }, first, {});
  expect(arrival.params).toEqual({});
});
