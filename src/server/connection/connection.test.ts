import { describe, expect, test } from 'vitest';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { silence } from '../../../test/support/peers/raw-peer.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readContext } from '../sdk/call-context.ts';
import type { LowServer } from '../sdk/protocol-server.ts';
import { createMemory } from './connection-memory.ts';
import { type Connection, createConnection } from './connection.ts';

interface Parts {
  readonly server?: object;
  readonly transport?: object;
  readonly initialize?: unknown;
}

function connectionOf({ server = {}, transport = {}, initialize }: Parts = {}): Connection {
  const memory = createMemory({ ...(initialize !== undefined && { initialize }) });
  const silent = { getClientCapabilities: () => undefined, getClientVersion: () => undefined };
  return createConnection({
    server: { ...silent, ...server } as unknown as LowServer,
    transport,
    memory: () => memory,
    overHttp: false,
  });
}

const modern = { getNegotiatedProtocolVersion: () => '2026-07-28' };
const envelope = {
  'io.modelcontextprotocol/clientInfo': { name: 'new', version: '2' },
  'io.modelcontextprotocol/clientCapabilities': { roots: {} },
};
const withEnvelope = readContext({ mcpReq: { envelope } });

describe('what a client can do', () => {
  test('is what it said in initialize, wherever that is remembered', () => {
    const connection = connectionOf({ initialize: { capabilities: { roots: {} } } });
    expect(connection.capabilities()).toEqual({ roots: {} });
  });

  test('is what the server knows, where nothing is remembered', () => {
    const server = { getClientCapabilities: () => ({ roots: {} }) };
    expect(connectionOf({ server }).capabilities()).toEqual({ roots: {} });
    expect(connectionOf().capabilities()).toEqual({});
  });

  test('is what it says with the request from 2026-07-28 on, and only then', () => {
    const server = { ...modern, getClientCapabilities: () => ({ sampling: {} }) };
    expect(connectionOf({ server }).capabilities(withEnvelope)).toEqual({ roots: {} });
    expect(connectionOf({ server }).capabilities()).toEqual({});
    expect(connectionOf().capabilities(withEnvelope)).toEqual({});
  });
});

describe('who a client is', () => {
  test('is what it says, the nearest word first', () => {
    const initialize = { clientInfo: { name: 'old', version: '1' } };
    expect(connectionOf({ server: modern, initialize }).client(withEnvelope)).toEqual({
      name: 'new',
      version: '2',
    });
    expect(connectionOf({ initialize }).client()).toEqual({ name: 'old', version: '1' });
    expect(connectionOf({ server: { getClientVersion: () => ({ name: 'sdk' }) } }).client()).toEqual({
      name: 'sdk',
    });
    expect(connectionOf({ initialize: { clientInfo: { name: 5 } } }).client()).toBeUndefined();
  });
});

describe('the ways to a client', () => {
  const related = readContext({ sendRequest: async () => 'related' });
  const server = { request: async () => 'unrelated' };
  const answersOf = async (connection: Connection, incoming = related): Promise<unknown[]> =>
    Promise.all(connection.ways(incoming).map((way) => way({ method: 'x' }, { timeout: 1 })));

  test('within a call: the call itself, and over HTTP another one beside it', async () => {
    expect(await answersOf(connectionOf({ server }))).toEqual(['related']);
    for (const transport of [
      { sessionId: 's' },
      { handleRequest: () => undefined },
      { handlePostMessage: () => undefined },
    ]) {
      const connection = connectionOf({ server, transport });
      expect(connection.overHttp).toBe(true);
      expect(await answersOf(connection)).toEqual(['related', 'unrelated']);
    }
    const call = readContext({ sendRequest: async () => 'related' });
    const seen = connectionOf({ server });
    expect(await answersOf(seen, call)).toEqual(['related']);
    seen.sawHttp();
    expect(seen.overHttp).toBe(true);
    expect(await answersOf(seen, call)).toEqual(['related', 'unrelated']);
  });

  test('outside of a call, and where a call cannot carry it: the connection', async () => {
    expect(await answersOf(connectionOf({ server }), readContext({}))).toEqual(['unrelated']);
    expect(connectionOf({ server }).ways()).toHaveLength(1);
  });

  test('from 2026-07-28 on, and after the end: none', () => {
    expect(connectionOf({ server: { ...server, ...modern } }).ways(related)).toEqual([]);
    const connection = connectionOf({ server });
    connection.end();
    expect(connection.ways(related)).toEqual([]);
  });
});

test('over HTTP a question that leads nowhere is put a second time, on another way', async () => {
  using tree = tempTree(['app/']);
  const options = { merge: 'client', timeout: 2_000 } as const;
  await using pair = await connectLegacy({ sessionId: 'one', options });
  pair.client.answers.set('roots/list', (_params, count) =>
    count === 1 ? silence : { roots: [{ uri: `file://${tree.at('app')}` }] },
  );
  expect((await pair.call('where')).text).toBe('app');
  expect(pair.client.asked()).toBe(2);
  expect((await pair.call('where')).text).toBe('app');
  expect(pair.client.asked()).toBe(2);
});

test('a client that knows neither of the two ways costs the patience and no more', async () => {
  const options = { merge: 'client', timeout: 100 } as const;
  await using pair = await connectLegacy({ sessionId: 'one', options });
  pair.client.answers.set('roots/list', () => silence);
  const started = performance.now();
  expect((await pair.call('paths')).text).toBe('');
  expect(performance.now() - started).toBeLessThan(2_000);
});
