import { Client } from '@modelcontextprotocol/client';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callTool, connectServer, introduce, nowhere } from '../../../test/support/peers/connect-legacy.ts';
import { openRawClient, type RawClient } from '../../../test/support/peers/raw-client.ts';
import { type AnyServer, createServer, sdkNames } from '../../../test/support/peers/sdks.ts';
import { connectPair } from '../../testing/connect-pair.ts';
import { linkWires } from '../../testing/wires.ts';
import { attach } from '../attach.ts';
import { type AttachableServer, lowServerOf } from './protocol-server.ts';
import { createOutputSchemas, offerTools } from './tool-listing.ts';

const identity = { name: 's', version: '1' };
const shape = { name: z.string() };
const result = { content: [], structuredContent: { name: 'x' } };

describe('a tool with an output schema', () => {
  test('is found in an McpServer of either SDK', () => {
    const v2 = new ServerV2(identity);
    v2.registerTool('typed', { outputSchema: z.object(shape) }, () => result);
    v2.registerTool('plain', {}, () => ({ content: [] }));
    const v1 = new ServerV1(identity);
    v1.registerTool('typed', { outputSchema: shape }, () => result);
    v1.registerTool('plain', {}, () => ({ content: [] }));
    for (const server of [v2, v1]) {
      const schemas = createOutputSchemas(server);
      expect(
        ['typed', 'plain', 'nobody', 'constructor', undefined, 5].map((name) => schemas.has(name)),
      ).toEqual([true, false, false, false, false, false]);
    }
  });

  test('is found in the list that a client got', () => {
    const schemas = createOutputSchemas({} as AttachableServer);
    expect(schemas.has('typed')).toBe(false);
    schemas.note({ tools: [{ name: 'typed', outputSchema: {} }, { name: 'plain' }, null, 5] });
    schemas.note(undefined);
    schemas.note({ tools: 'none' });
    expect([schemas.has('typed'), schemas.has('plain')]).toEqual([true, false]);
  });

  test('can be refused without violating its schema: a strict client accepts the refusal', async () => {
    const server = new ServerV2(identity);
    await using rootward = attach(server, nowhere);
    server.registerTool('typed', { outputSchema: z.object(shape) }, async (context) => {
      const { project } = await rootward.workspace(context);
      return { content: [], structuredContent: { name: project.name } };
    });
    const client = new Client({ name: 'c', version: '1' });
    await using pair = await connectPair({ server, client });
    await client.listTools();
    const refused = await client.callTool({ name: 'typed' });
    expect(refused.isError).toBe(true);
    expect(refused.structuredContent).toBeUndefined();
    expect(refused).toMatchObject({ _meta: { 'rootward/error': { code: 'PROJECT_NOT_FOUND' } } });
    expect(pair.asks()).toBe(0);
  });
});

async function connect(server: AnyServer): Promise<RawClient> {
  const wires = linkWires();
  await connectServer(server, wires.server);
  const client = await openRawClient(wires.client);
  await introduce(client);
  return client;
}

describe.each(sdkNames)('a server of SDK %s', (sdk) => {
  test('without tools answers tools/list', async () => {
    const server = createServer[sdk]();
    offerTools(lowServerOf(server.server));
    const client = await connect(server);
    expect((await client.request('tools/list'))['result']).toMatchObject({ tools: [] });
    expect((await client.request('tools/call', { name: 'x', arguments: {} }))['error']).toMatchObject({
      code: -32602,
    });
    await client.close();
  });

  test('with tools keeps them', async () => {
    const server = createServer[sdk]();
    server.tool('own', () => 'mine');
    offerTools(lowServerOf(server.server));
    const client = await connect(server);
    expect((await callTool(client, { name: 'own' })).text).toBe('mine');
    await client.close();
  });

  test('may register tools afterwards', async () => {
    const server = createServer[sdk]();
    offerTools(lowServerOf(server.server));
    server.tool('own', () => 'mine');
    const client = await connect(server);
    expect((await callTool(client, { name: 'own' })).text).toBe('mine');
    await client.close();
  });
});

test('leaves a server alone whose handlers cannot be read', () => {
  expect(() => offerTools({} as never)).not.toThrow();
});
