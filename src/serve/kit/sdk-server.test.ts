import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, type Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { expect, test } from 'vitest';
import { createSdkServer } from './sdk-server.ts';

test('speaks 2026-07-28', async () => {
  const facts = { info: { name: 'ready', version: '1.2.3' }, instructions: '', capabilities: { tools: {} } };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const create = (): Server => {
    const server = createSdkServer(facts);
    server.setRequestHandler('tools/list', () => ({ tools: [] }));
    return server as unknown as Server;
  };
  const serving = serveStdio(create, { transport: far });
  const client = new Client(
    { name: 'tester', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(near);
  expect((await client.listTools()).tools).toEqual([]);
  await client.close();
  await serving.close();
});
