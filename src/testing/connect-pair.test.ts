import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Client as Client12 } from 'sdk-1.12/client/index.js';
import { McpServer as Server12 } from 'sdk-1.12/server/mcp.js';
import { ListRootsRequestSchema as Schema12 } from 'sdk-1.12/types.js';
import { describe, expect, test } from 'vitest';
import { attach } from '../server/attach.ts';
import { connectPair } from './connect-pair.ts';
import { tempTree } from './temp-tree.ts';

const identity = { name: 'test', version: '1.0.0' };
const capabilities = { roots: { listChanged: true } };

const servers = {
  v2: () => withTool(new ServerV2(identity)),
  v1: () => withTool(new ServerV1(identity)),
  'v1.12': () => withTool(new Server12(identity)),
} as const;

const clients = {
  v2: (uri: string) => {
    const client = new ClientV2(identity, { capabilities });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri }] }));
    return client;
  },
  v1: (uri: string) => {
    const client = new ClientV1(identity, { capabilities });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] }));
    return client;
  },
  'v1.12': (uri: string) => {
    const client = new Client12(identity, { capabilities });
    client.setRequestHandler(Schema12, () => ({ roots: [{ uri }] }));
    return client;
  },
} as const;

type ServerName = keyof typeof servers;
type ClientName = keyof typeof clients;
const names = Object.keys(servers) as ServerName[];
const pairs = names.flatMap((server) =>
  (Object.keys(clients) as ClientName[]).map((client) => [server, client] as const),
);

describe.each(pairs)('a server of SDK %s and a client of SDK %s', (serverName, clientName) => {
  test('communicate, and the pair counts the requests to the client', async () => {
    using tree = tempTree(['app/package.json = {}']);
    const client = clients[clientName](`file://${tree.at('app')}`);
    await using pair = await connectPair({ server: servers[serverName](), client });
    expect((await client.callTool({ name: 'roots' })).content).toEqual([{ type: 'text', text: 'app' }]);
    expect((await client.callTool({ name: 'roots' })).content).toEqual([{ type: 'text', text: 'app' }]);
    expect(pair.asks()).toBe(1);
    expect(pair.asks('elicitation/create')).toBe(0);
  });
});

test('a 2026-07-28 client is asked in the result of each call', async () => {
  using tree = tempTree(['app/package.json = {}']);
  const client = new ClientV2(identity, {
    capabilities,
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: `file://${tree.at('app')}` }] }));
  await using pair = await connectPair({ serveStdio, server: servers.v2, client });
  expect((await client.callTool({ name: 'roots' })).content).toEqual([{ type: 'text', text: 'app' }]);
  await client.callTool({ name: 'roots' });
  expect(pair.asks()).toBe(2);
  expect(pair.records.some(({ message }) => message['method'] === 'roots/list')).toBe(false);
});

test('closing the pair closes both sides', async () => {
  const server = servers.v2();
  const client = clients.v2('file:///');
  const closed: string[] = [];
  client.onclose = () => closed.push('client');
  server.server.onclose = () => closed.push('server');
  const pair = await connectPair({ server, client });
  await pair.close();
  expect(closed.toSorted()).toEqual(['client', 'server']);
});

type AnyServer = ServerV2 | ServerV1 | Server12;

/** The same tool for each pair: it lists the names of the roots. */
function withTool<Server extends AnyServer>(server: Server): Server {
  const rootward = attach(server, { environment: {} });
  const run = async (context: object): Promise<{ content: { type: 'text'; text: string }[] }> => {
    const roots = await rootward.roots(context);
    return { content: roots.map(({ name }) => ({ type: 'text', text: name })) };
  };
  if (server instanceof Server12) server.tool('roots', run);
  else if (server instanceof ServerV1) server.registerTool('roots', {}, run);
  else if (server instanceof ServerV2) server.registerTool('roots', {}, run);
  return server;
}
