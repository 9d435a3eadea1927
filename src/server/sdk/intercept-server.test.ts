import { Server as LowV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Server as LowV2, type McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectServer, introduce } from '../../../test/support/peers/connect-legacy.ts';
import { openRawClient, type RawClient } from '../../../test/support/peers/raw-client.ts';
import { linkWires } from '../../testing/wires.ts';
import { HandlerCall, interceptRequests, observeTransport } from './intercept-server.ts';
import {
  type AttachableServer,
  lowServerOf,
  type StartableTransport,
  type WireTransport,
} from './protocol-server.ts';

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

async function connect(server: LowV1 | LowV2 | McpServer): Promise<RawClient> {
  const wires = linkWires();
  await connectServer({ server, tool: () => undefined }, wires.server);
  const client = await openRawClient(wires.client);
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

/** A transport that delivers one message with its start, like one with buffered input. */
class Plain implements StartableTransport {
  onmessage: WireTransport['onmessage'];
  onclose: WireTransport['onclose'];
  started = 0;

  async start(): Promise<void> {
    this.started += 1;
    this.onmessage?.({ id: 0 }, { authInfo: this.started });
  }
}

/** The events, in order. */
function watch(transport: StartableTransport, as = 'saw'): string[] {
  const seen: string[] = [];
  observeTransport(transport, {
    message: (message) => seen.push(`${as} ${idOf(message)}`),
    close: () => seen.push('closed'),
  });
  return seen;
}

function idOf(message: unknown): number {
  return (message as { id: number }).id;
}

describe('an observed transport', () => {
  test('reports each message before the server gets it, from the first on', async () => {
    const transport = new Plain();
    const seen = watch(transport);
    transport.onmessage = (message) => seen.push(`got ${idOf(message)}`);
    await transport.start();
    transport.onmessage({ id: 1 });
    expect(seen).toEqual(['saw 0', 'got 0', 'saw 1', 'got 1']);
  });

  test('reports it once, whether an SDK keeps or replaces the callbacks', async () => {
    const transport = new Plain();
    const seen = watch(transport);
    transport.onmessage = () => seen.push('forgotten');
    transport.onmessage = () => seen.push('before');
    const before = transport.onmessage;
    transport.onmessage = (message, extra) => {
      before(message, extra);
      seen.push('got');
    };
    await transport.start();
    expect(seen).toEqual(['saw 0', 'before', 'got']);
  });

  test('reports its end once', async () => {
    const transport = new Plain();
    const seen = watch(transport);
    let ended = 0;
    transport.onclose = () => (ended += 1);
    await transport.start();
    transport.onclose();
    transport.onclose();
    expect(seen).toEqual(['saw 0', 'closed']);
    expect(ended).toBe(2);
  });

  test('passes on the extra of a message', async () => {
    const transport = new Plain();
    watch(transport);
    let extra: unknown;
    transport.onmessage = (_message, more) => (extra = more);
    await transport.start();
    expect(extra).toEqual({ authInfo: 1 });
  });

  test('may wrap another one, with accessors of its own', async () => {
    const inner = new Plain();
    const transport: StartableTransport = {
      start: () => inner.start(),
      get onmessage() {
        return inner.onmessage;
      },
      set onmessage(callback) {
        inner.onmessage = callback;
      },
      get onclose() {
        return inner.onclose;
      },
      set onclose(callback) {
        inner.onclose = callback;
      },
    };
    const seen = watch(transport);
    transport.onmessage = () => seen.push('got');
    await transport.start();
    inner.onmessage?.({ id: 1 });
    expect(seen).toEqual(['saw 0', 'got', 'saw 1', 'got']);
  });

  test('may have callbacks that can only be set', async () => {
    const set: Pick<StartableTransport, 'onmessage' | 'onclose'> = {};
    const transport: StartableTransport = {
      start: async () => set.onmessage?.({ id: 0 }),
      set onmessage(callback: WireTransport['onmessage']) {
        set.onmessage = callback;
      },
      set onclose(callback: WireTransport['onclose']) {
        set.onclose = callback;
      },
    };
    const seen = watch(transport);
    transport.onmessage = () => seen.push('got');
    transport.onclose = () => seen.push('ended');
    await transport.start();
    set.onclose?.();
    expect(seen).toEqual(['saw 0', 'got', 'closed', 'ended']);
  });

  test('may have a start that can only be read', async () => {
    const plain = new Plain();
    class Fixed extends Plain {}
    Object.defineProperty(Fixed.prototype, 'start', { get: () => () => plain.start() });
    const transport: StartableTransport = new Fixed();
    const seen = watch(transport);
    plain.onmessage = (message) => transport.onmessage?.(message);
    await transport.start();
    expect(seen).toEqual(['saw 0']);
  });

  test('may have two observers', async () => {
    const transport = new Plain();
    const one = watch(transport);
    const two = watch(transport);
    await transport.start();
    expect([one, two]).toEqual([['saw 0'], ['saw 0']]);
  });

  test('belongs to the next server when it is connected again', async () => {
    const transport = new Plain();
    const first = watch(transport);
    await transport.start();
    transport.onmessage = undefined;
    const second = watch(transport);
    await transport.start();
    expect([first, second]).toEqual([['saw 0'], ['saw 0']]);
    expect(transport.started).toBe(2);
  });

  test('keeps plain fields, without accessors', async () => {
    const transport = new Plain();
    watch(transport);
    await transport.start();
    const fields = Object.values(Object.getOwnPropertyDescriptors(transport));
    expect(fields.every((field) => 'value' in field)).toBe(true);
  });
});
