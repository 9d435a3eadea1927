import { describe, expect, test } from 'vitest';
import { connectLegacy } from '../../../test/attached/connect-legacy.ts';
import { connectModern } from '../../../test/attached/connect-modern.ts';
import { createServer, sdkNames } from '../../../test/attached/sdks.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { isModern, type LowServer, lowServerOf } from './protocol-server.ts';

describe.each(sdkNames)('SDK %s', (sdk) => {
  test('an McpServer and the Server in it lead to the same', () => {
    const { server } = createServer[sdk]();
    const low = lowServerOf(server);
    expect(lowServerOf(low as never)).toBe(low);
    expect(typeof low.setRequestHandler).toBe('function');
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'a connection of %s can be asked',
    async (protocolVersion) => {
      await using pair = await connectLegacy({ sdk, protocolVersion });
      expect(isModern(lowServerOf(pair.server.server))).toBe(false);
    },
  );
});

test('the keys of the new envelope do not make a connection a new one', async () => {
  using tree = tempTree(['app/']);
  await using pair = await connectLegacy({ roots: [tree.at('app')] });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'other', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  expect((await pair.call('where', {}, meta)).text).toBe('app');
  expect(pair.client.asked()).toBe(1);
});

test('a connection of 2026-07-28 cannot be asked', async () => {
  let low: LowServer | undefined;
  await using pair = await connectModern({ more: (server) => (low = lowServerOf(server)) });
  await pair.call('paths');
  expect(low && isModern(low)).toBe(true);
  expect(pair.client.asked()).toBe(0);
});

test('a server that knows no versions is an old one', () => {
  expect(isModern({} as LowServer)).toBe(false);
  expect(isModern({ getNegotiatedProtocolVersion: () => undefined } as unknown as LowServer)).toBe(false);
  expect(isModern({ getNegotiatedProtocolVersion: () => '2027-01-01' } as unknown as LowServer)).toBe(true);
});
