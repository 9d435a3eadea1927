import { CallToolRequestSchema as CallTool1 } from '@modelcontextprotocol/sdk/types.js';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  McpServer,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { CallToolRequestSchema as CallTool12 } from 'sdk-1.12/types.js';
import { describe, expect, test } from 'vitest';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { connectModern } from '../../../test/support/peers/connect-modern.ts';
import { createServer, sdkNames } from '../../../test/support/peers/sdks.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import {
  envelopeKeys,
  isModern,
  type LowServer,
  lowServerOf,
  methodOf,
  methodSchema,
  overrideMethod,
  passSchema,
} from './protocol-server.ts';

describe.each(sdkNames)('SDK %s', (sdk) => {
  test('an McpServer and its Server are the same', () => {
    const { server } = createServer[sdk]();
    const low = lowServerOf(server);
    expect(lowServerOf(low as never)).toBe(low);
    expect(typeof low.setRequestHandler).toBe('function');
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'a connection of %s supports requests to the client',
    async (protocolVersion) => {
      await using pair = await connectLegacy({ sdk, protocolVersion });
      expect(isModern(lowServerOf(pair.server.server))).toBe(false);
    },
  );
});

test('keys of the new envelope do not make a connection modern', async () => {
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

test('a 2026-07-28 connection supports no requests to the client', async () => {
  let low: LowServer | undefined;
  await using pair = await connectModern({ more: (server) => (low = lowServerOf(server)) });
  await pair.call('paths');
  expect(low && isModern(low)).toBe(true);
  expect(pair.client.asked()).toBe(0);
});

test('a server without versions is an old one', () => {
  expect(isModern({} as LowServer)).toBe(false);
  expect(isModern({ getNegotiatedProtocolVersion: () => undefined } as unknown as LowServer)).toBe(false);
  expect(isModern({ getNegotiatedProtocolVersion: () => '2027-01-01' } as unknown as LowServer)).toBe(true);
});

test('passes everything on, in the style of either SDK', () => {
  const odd = { roots: [null, 5, { uri: 7 }] };
  expect(passSchema.parse(odd)).toBe(odd);
  expect(passSchema.safeParse(odd)).toEqual({ success: true, data: odd });
  expect(passSchema['~standard'].validate(odd)).toEqual({ value: odd });
});

test.each([
  ['a method', 'tools/call'],
  ['a schema of SDK v1', CallTool1],
  ['a schema of SDK 1.12', CallTool12],
  ['one of ours', methodSchema('tools/call')],
])('the method is read from %s', (_name, schema) => {
  expect(methodOf(schema)).toBe('tools/call');
});

test.each([
  undefined,
  null,
  5,
  {},
  { shape: {} },
  { shape: { method: {} } },
  { shape: { method: { value: 5 } } },
])('finds no method in %j', (schema) => {
  expect(methodOf(schema)).toBeUndefined();
});

const transport = { start: async () => undefined };

/** A server whose `connect` records its object. */
function serverOf(said: string[]): LowServer {
  class Server {
    async connect(): Promise<void> {
      said.push('original');
    }
  }
  return new Server() as unknown as LowServer;
}

const saying =
  (said: string[], word: string) =>
  (before: LowServer['connect']): LowServer['connect'] =>
  async (connected) => {
    said.push(word);
    await before(connected);
  };

test('the new method runs first, and the old one keeps its receiver', async () => {
  const said: string[] = [];
  const server = serverOf(said);
  overrideMethod(server, 'connect', saying(said, 'ours'));
  await server.connect(transport);
  expect(said).toEqual(['ours', 'original']);
});

test('can be undone completely', async () => {
  const said: string[] = [];
  const server = serverOf(said);
  const undo = overrideMethod(server, 'connect', saying(said, 'ours'));
  undo();
  await server.connect(transport);
  expect(said).toEqual(['original']);
  expect(Object.hasOwn(server, 'connect')).toBe(false);
});

test('undoing the second restores the first', async () => {
  const said: string[] = [];
  const server = serverOf(said);
  overrideMethod(server, 'connect', saying(said, 'first'));
  overrideMethod(server, 'connect', saying(said, 'second'))();
  await server.connect(transport);
  expect(said).toEqual(['first', 'original']);
});

test('undoing the first does not affect the second', async () => {
  const said: string[] = [];
  const server = serverOf(said);
  const undoFirst = overrideMethod(server, 'connect', saying(said, 'first'));
  overrideMethod(server, 'connect', saying(said, 'second'));
  undoFirst();
  await server.connect(transport);
  expect(said).toEqual(['second', 'first', 'original']);
});

test('works on a real server', () => {
  const low = lowServerOf(new McpServer({ name: 's', version: '1' }));
  const undo = overrideMethod(low, 'connect', (connect) => connect);
  expect(Object.hasOwn(low, 'connect')).toBe(true);
  undo();
  expect(Object.hasOwn(low, 'connect')).toBe(false);
});

test('the keys of the envelope are those of the SDK, which need not be loaded for them', () => {
  expect(envelopeKeys).toEqual({
    revision: PROTOCOL_VERSION_META_KEY,
    client: CLIENT_INFO_META_KEY,
    capabilities: CLIENT_CAPABILITIES_META_KEY,
    logLevel: LOG_LEVEL_META_KEY,
  });
});
