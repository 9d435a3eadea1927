import { setImmediate } from 'node:timers/promises';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import type { Fields } from '../../base/fields.ts';
import { passSchema, sessionRevisions } from '../../server/sdk/protocol-server.ts';
import { type KitServer, ProtocolFault } from './kit-server.ts';
import { createSdkServer } from './sdk-server.ts';
import { SessionServer } from './session-server.ts';

/** A transport that keeps what a server sends. */
class Wire {
  onmessage?: (message: unknown) => void;
  onclose?: () => void;
  readonly sessionId = 'session-1';
  readonly sent: { readonly message: Fields; readonly related?: unknown }[] = [];

  async start(): Promise<void> {}

  async send(message: Fields, options?: { readonly relatedRequestId?: unknown }): Promise<void> {
    const related = options?.relatedRequestId;
    this.sent.push({ message, ...(related !== undefined && { related }) });
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  async take(...messages: readonly object[]): Promise<void> {
    for (const message of messages) this.onmessage?.({ jsonrpc: '2.0', ...message });
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  }
}

const identity = {
  info: { name: 'ready', version: '1.2.3' },
  instructions: 'Read first.',
  capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
};

async function connect(server: KitServer): Promise<Wire> {
  server.setRequestHandler('tools/list', () => ({ tools: [] }));
  server.setRequestHandler('prompts/list', () => {
    throw new Error('it broke');
  });
  server.setRequestHandler('prompts/get', () => {
    throw new ProtocolFault(-32_602, 'no such prompt', { name: 'x' });
  });
  server.setRequestHandler('resources/list', async (_request, { mcpReq }) => {
    await new Promise((resolve) => mcpReq?.signal.addEventListener('abort', resolve));
    return { resources: [] };
  });
  server.setRequestHandler('resources/templates/list', async (_request, context) => {
    const { mcpReq } = context as unknown as { mcpReq: { notify(notification: object): Promise<void> } };
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 7, progress: 1 } });
    return { resourceTemplates: [] };
  });
  const wire = new Wire();
  await server.connect(wire);
  return wire;
}

const introduction = (protocolVersion: string): object => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'tester', version: '1' } },
});

test('speaks the revisions of the SDK that begin with initialize', () => {
  expect(sessionRevisions).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});

test.each<[string, readonly object[]]>([
  ...sessionRevisions.map((revision): [string, object[]] => [revision, [introduction(revision)]]),
  ['an unknown revision', [introduction('1999-01-01')]],
  ['a revision without sessions', [introduction('2026-07-28')]],
  ['a ping', [{ id: 'a', method: 'ping' }]],
  ['a list', [{ id: 1, method: 'tools/list' }]],
  ['an unknown method', [{ id: 1, method: 'tools/none', params: {} }]],
  ['a handler that fails', [{ id: 1, method: 'prompts/list' }]],
  ['a handler that refuses', [{ id: 1, method: 'prompts/get', params: { name: 'x' } }]],
  ['notifications', [{ method: 'notifications/initialized' }, { method: 'notifications/none' }]],
  ['progress', [{ id: 1, method: 'resources/templates/list' }]],
  [
    'a request that is cancelled',
    [
      { id: 1, method: 'resources/list' },
      { method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } },
      { id: 2, method: 'ping' },
    ],
  ],
  ['a response to nothing', [{ id: 5, result: {} }]],
])('answers %s as the SDK does', async (_case, messages) => {
  const [own, sdk] = [await connect(new SessionServer(identity)), await connect(createSdkServer(identity))];
  await own.take(...messages);
  await sdk.take(...messages);
  expect(own.sent).toEqual(sdk.sent);
});

test('ends both calls of a client that uses an id twice', async () => {
  const server = new SessionServer(identity);
  const signals: AbortSignal[] = [];
  server.setRequestHandler('tools/call', async (_request, { mcpReq }) => {
    if (mcpReq !== undefined) signals.push(mcpReq.signal);
    await new Promise((resolve) => mcpReq?.signal.addEventListener('abort', resolve));
  });
  const wire = await connect(server);
  await wire.take({ id: 1, method: 'tools/call' }, { id: 1, method: 'tools/call' });
  await server.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('asks the client, within a call and outside', async () => {
  const server = new SessionServer(identity);
  server.setRequestHandler('tools/call', async (_request, context) => {
    const { mcpReq } = context as unknown as { mcpReq: { send: typeof server.request } };
    return { roots: await mcpReq.send({ method: 'roots/list' }, passSchema, { timeout: 1_000 }) };
  });
  const wire = await connect(server);
  const outside = server.request({ method: 'roots/list' }, passSchema, { timeout: 1_000 });
  await wire.take({ id: 9, method: 'tools/call' });
  expect(wire.sent).toMatchObject([
    { message: { id: 1, method: 'roots/list' } },
    { message: { id: 2, method: 'roots/list' }, related: 9 },
  ]);
  await wire.take({ id: 1, result: 'one' }, { id: 2, result: 'two' });
  await expect(outside).resolves.toBe('one');
  expect(wire.sent.at(-1)?.message).toMatchObject({ id: 9, result: { roots: 'two' } });
});

test.each<[string, (wire: Wire) => Promise<void>, object]>([
  ['refuses', (wire) => wire.take({ id: 1, error: { code: -32_601, message: 'no' } }), { code: -32_601 }],
  ['disconnects', (wire) => wire.close(), { code: -32_000 }],
  ['is silent', async () => {}, { code: -32_001 }],
])('tells when the client %s', async (_case, act, error) => {
  const server = new SessionServer(identity);
  const wire = await connect(server);
  const asked = server.request({ method: 'roots/list' }, passSchema, { timeout: 50 });
  // A rejection is expected, and must not be reported before it is looked at.
  asked.catch(() => undefined);
  await act(wire);
  await expect(asked).rejects.toMatchObject(error);
});

test('tells a silent client that the request is no longer wanted', async () => {
  const server = new SessionServer(identity);
  const wire = await connect(server);
  await expect(server.request({ method: 'roots/list' }, passSchema, { timeout: 1 })).rejects.toThrow('timed');
  expect(wire.sent.at(-1)?.message).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 1 },
  });
});

test('ends its calls when the client disconnects, and can be connected again', async () => {
  const server = new SessionServer(identity);
  const wire = await connect(server);
  await wire.take(introduction('2025-06-18'), { id: 1, method: 'resources/list' });
  await expect(server.connect(new Wire())).rejects.toThrow('connected already');
  await server.close();
  await setImmediate();
  expect(wire.sent.map(({ message }) => message['id'])).toEqual([0]);
  const next = await connect(server);
  await next.take({ id: 2, method: 'ping' });
  expect(next.sent).toHaveLength(1);
  expect(server.getNegotiatedProtocolVersion()).toBe('2025-06-18');
  await expect(
    new SessionServer(identity).request({ method: 'roots/list' }, passSchema, { timeout: 1 }),
  ).rejects.toThrow('Not connected');
});

test('announces changed tools', async () => {
  const server = new SessionServer(identity);
  const wire = await connect(server);
  await server.sendToolListChanged();
  expect(wire.sent).toEqual([{ message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } }]);
});

test('is silent about a call that was cancelled', async () => {
  const server = new SessionServer(identity);
  server.setRequestHandler('tools/call', async (_request, context) => {
    const { mcpReq } = context as unknown as {
      mcpReq: { signal: AbortSignal; notify(notification: object): Promise<void> };
    };
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    return {};
  });
  const wire = await connect(server);
  await wire.take({ id: 1, method: 'tools/call' });
  await wire.take({ method: 'notifications/cancelled', params: { requestId: 1 } });
  expect(wire.sent).toEqual([]);
});
