import { describe, expect, test } from 'vitest';
import { callTool, connectServer, introduce } from '../../../test/attached/connect-legacy.ts';
import { openRawPeer, type RawPeer } from '../../../test/attached/raw-peer.ts';
import { type AnyServer, createServer, sdkNames } from '../../../test/attached/sdks.ts';
import { linkWires } from '../../testing/linked-wires.ts';
import { offerTools } from './offer-tools.ts';
import { lowServerOf } from './protocol-server.ts';

async function connect(server: AnyServer): Promise<RawPeer> {
  const wires = linkWires();
  await connectServer(server, wires.server);
  const client = await openRawPeer(wires.client);
  await introduce(client);
  return client;
}

describe.each(sdkNames)('a server of SDK %s', (sdk) => {
  test('without tools answers about them', async () => {
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

test('a server that cannot be asked about its handlers is left alone', () => {
  expect(() => offerTools({} as never)).not.toThrow();
});
