import { describe, expect, test } from 'vitest';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { silence } from '../../../test/support/peers/raw-client.ts';
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

describe('the capabilities of a client', () => {
  test('come from initialize, wherever it is remembered', () => {
    const connection = connectionOf({ initialize: { capabilities: { roots: {} } } });
    expect(connection.capabilities()).toEqual({ roots: {} });
  });

  test('come from the server, if nothing is remembered', () => {
    const server = { getClientCapabilities: () => ({ roots: {} }) };
    expect(connectionOf({ server }).capabilities()).toEqual({ roots: {} });
    expect(connectionOf().capabilities()).toEqual({});
  });

  test('come from the request in 2026-07-28, and only then', () => {
    const server = { ...modern, getClientCapabilities: () => ({ sampling: {} }) };
    expect(connectionOf({ server }).capabilities(withEnvelope)).toEqual({ roots: {} });
    expect(connectionOf({ server }).capabilities()).toEqual({});
    expect(connectionOf().capabilities(withEnvelope)).toEqual({});
  });
});

describe('the identity of a client', () => {
  test('comes from the most specific source', () => {
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

describe('the channels to a client', () => {
  const related = readContext({ sendRequest: async () => 'related' });
  const server = { request: async () => 'unrelated' };
  const answersOf = async (connection: Connection, incoming = related): Promise<unknown[]> =>
    Promise.all(connection.ways(incoming).map((way) => way({ method: 'x' }, { timeout: 1 })));

  test('within a call: the call itself, and over HTTP a second one', async () => {
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

  test('outside of a call, or if it has no channel: the connection', async () => {
    expect(await answersOf(connectionOf({ server }), readContext({}))).toEqual(['unrelated']);
    expect(connectionOf({ server }).ways()).toHaveLength(1);
  });

  test('in 2026-07-28, and after the end: none', () => {
    expect(connectionOf({ server: { ...server, ...modern } }).ways(related)).toEqual([]);
    const connection = connectionOf({ server });
    connection.end();
    expect(connection.ways(related)).toEqual([]);
  });
});

test('repeats an unanswered request over HTTP on the second channel', async () => {
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

test('a client without either channel costs only the timeout', async () => {
  const options = { merge: 'client', timeout: 100 } as const;
  await using pair = await connectLegacy({ sessionId: 'one', options });
  pair.client.answers.set('roots/list', () => silence);
  const started = performance.now();
  expect((await pair.call('paths')).text).toBe('');
  expect(performance.now() - started).toBeLessThan(10_000);
});
