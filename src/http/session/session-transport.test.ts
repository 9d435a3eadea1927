import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openMemoryStore } from '../../sessions/memory-store.ts';
import type { RpcMessage } from '../exchange/json-rpc.ts';
import type { Reply } from '../exchange/reply.ts';
import { WaitingAnswers } from '../exchange/waiting-answers.ts';
import { cancelledId, SessionTransport, type SessionTransportParts } from './session-transport.ts';

const initialize = {
  protocolVersion: '2025-06-18',
  clientInfo: { name: 'c', version: '1' },
  capabilities: { roots: {} },
};

interface Opened {
  readonly transport: SessionTransport;
  readonly waiting: WaitingAnswers;
  /** The messages sent on the stream. */
  readonly sent: RpcMessage[];
  readonly told: RpcMessage[];
  readonly complete: ReturnType<typeof vi.fn>;
}

function openTransport(differently: Partial<SessionTransportParts> = {}): Opened {
  const waiting = new WaitingAnswers(openMemoryStore());
  const [sent, told]: [RpcMessage[], RpcMessage[]] = [[], []];
  const reply = { canStream: true, closed: false, event: (message: RpcMessage) => void sent.push(message) };
  const complete = vi.fn<(responses: readonly RpcMessage[]) => void>();
  const transport = new SessionTransport({
    sessionId: 's',
    principal: 'p',
    waiting,
    reply: reply as unknown as Reply,
    complete,
    notify: (notification) => void told.push(notification),
    ...differently,
  });
  return { transport, waiting, sent, told, complete };
}

const pending = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;

describe('the transport of one POST', () => {
  test('replays initialize to a new server', async () => {
    const { transport } = openTransport();
    const server = new McpServer({ name: 'x', version: '1' });
    await server.connect(transport as never);
    await transport.hydrate(initialize);
    expect(server.server.getClientVersion()).toMatchObject({ name: 'c' });
    expect(server.server.getNegotiatedProtocolVersion()).toBe('2025-06-18');
    await server.close();
  });

  test('fails if the server refuses the replayed initialize', async () => {
    const { transport } = openTransport();
    const server = new McpServer({ name: 'x', version: '1' });
    await server.connect(transport as never);
    await expect(transport.hydrate({ nonsense: true })).rejects.toThrow('refused the session');
  });

  test('stops waiting when the server is closed', async () => {
    const { transport } = openTransport();
    const hydration = transport.hydrate(initialize);
    await transport.close();
    await expect(hydration).rejects.toThrow('ended before');
  });

  test('is complete when every request has its response, in any order', async () => {
    const { transport, complete } = openTransport();
    transport.begin([pending, { ...pending, id: '1' }]);
    await transport.send({ jsonrpc: '2.0', id: '1', result: {} });
    await transport.send({ jsonrpc: '2.0', id: 'nobody', result: {} });
    expect(complete).not.toHaveBeenCalled();
    expect(transport.pending()).toEqual([1]);
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(complete).toHaveBeenCalledOnce();
  });
});

describe('a question of the server', () => {
  test('is sent with another id, and its answer comes back with the original one', async () => {
    const { transport, waiting, sent } = openTransport();
    const received = vi.fn<(message: RpcMessage) => void>();
    transport.onmessage = received;
    transport.begin([pending]);
    await transport.send({
      jsonrpc: '2.0',
      id: 0,
      method: 'roots/list',
      params: { _meta: { progressToken: 0 } },
    });
    const [asked = { id: '' }] = sent as unknown as { id: string }[];
    expect(asked).toMatchObject({ method: 'roots/list', params: { _meta: { progressToken: asked.id } } });
    const from = { session: 's', principal: 'p' };
    const params = { progressToken: asked.id, progress: 1 };
    waiting.take({ ...from, message: { jsonrpc: '2.0', method: 'notifications/progress', params } });
    waiting.take({ ...from, message: { jsonrpc: '2.0', id: asked.id, result: { roots: [] } } });
    expect(received.mock.calls.slice(1)).toEqual([
      [{ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 0, progress: 1 } }],
      [{ jsonrpc: '2.0', id: 0, result: { roots: [] } }],
    ]);
  });

  test('that the server cancels is cancelled under the id the client knows', async () => {
    const { transport, waiting, sent } = openTransport();
    transport.begin([pending]);
    await transport.send({ jsonrpc: '2.0', id: 5, method: 'roots/list' });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    const [asked, cancelled] = sent as unknown as [{ id: string }, RpcMessage];
    expect(cancelled).toMatchObject({ params: { requestId: asked.id } });
    expect(waiting.size).toBe(0);
  });

  test('that would be repeated leaves no timer when it is answered, cancelled or abandoned', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { transport, waiting, sent } = openTransport({ askAgainMs: 1_000 });
    const before = vi.getTimerCount();
    transport.begin([pending]);
    for (const id of [0, 1, 2]) await transport.send({ jsonrpc: '2.0', id, method: 'roots/list' });
    expect(vi.getTimerCount() - before).toBe(3);
    const [{ id }] = sent as unknown as [{ id: string }];
    waiting.take({ session: 's', principal: 'p', message: { jsonrpc: '2.0', id, result: { roots: [] } } });
    expect(vi.getTimerCount() - before).toBe(2);
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(vi.getTimerCount() - before).toBe(1);
    await transport.close();
    expect(vi.getTimerCount() - before).toBe(0);
  });

  test.each<[string, Partial<SessionTransportParts>]>([
    ['no reply', { reply: undefined as never }],
    ['a reply that cannot stream', { reply: { canStream: false, closed: false } as Reply }],
    ['a reply that is over', { reply: { canStream: true, closed: true } as Reply }],
  ])('fails at once with %s', async (_what, parts) => {
    const { transport, waiting } = openTransport(parts);
    transport.begin([pending]);
    const asking = transport.send({ jsonrpc: '2.0', id: 5, method: 'roots/list' });
    await expect(asking).rejects.toThrow('Cannot send roots/list');
    expect(waiting.size).toBe(0);
  });

  test('is forgotten with its transport', async () => {
    const { transport, waiting } = openTransport();
    transport.begin([pending]);
    await transport.send({ jsonrpc: '2.0', id: 5, method: 'roots/list' });
    await transport.close();
    expect(waiting.size).toBe(0);
  });
});

describe('a notification of the server', () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/x' } as const;

  test('reaches the stream of its request, or that of the session', async () => {
    const { transport, sent, told } = openTransport();
    transport.begin([pending]);
    await transport.send(notification, { relatedRequestId: 1 });
    expect([sent, told]).toEqual([[notification], []]);
    await transport.send(notification);
    await transport.send(notification, { relatedRequestId: 99 });
    expect([sent, told]).toEqual([[notification], [notification, notification]]);
  });

  test('is dropped after the result', async () => {
    const { transport, told } = openTransport();
    await transport.close();
    await transport.send(notification);
    expect(told).toEqual([]);
  });
});

test.each([
  [{ method: 'notifications/cancelled', params: { requestId: 1 } }, 1],
  [{ method: 'notifications/cancelled', params: { requestId: {} } }, undefined],
  [{ method: 'notifications/cancelled' }, undefined],
  [{ method: 'notifications/other', params: { requestId: 1 } }, undefined],
])('%j cancels %j', (notification, id) => {
  expect(cancelledId({ jsonrpc: '2.0', ...notification })).toBe(id);
});
