import { describe, expect, test, vi } from 'vitest';
import { openPair } from '../../../test/support/redis/open-pair.ts';
import { startRedis } from '../../../test/support/redis/redis-server.ts';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint, otherToken, type TestEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, head, openSocket, openStream, send } from '../../../test/support/http/raw.ts';
import { canRun, needs } from '../../../test/support/processes/system-programs.ts';
import type { Envelope } from '../../sessions/record/session-store.ts';
import { openRedisStore } from '../../sessions/redis/redis-store.ts';
import { createMeters, type EndpointMeters } from '../exchange/telemetry.ts';

describe('a stream for notifications', () => {
  test('carries notifications that belong to no request, if the operator enables it', async () => {
    await using endpoint = await openEndpoint({ notifications: true });
    const headers = await beginSession(endpoint);
    const events = await openStream(endpoint, headers);
    endpoint.notify({ method: 'notifications/tools/list_changed' });
    expect((await events.next()).value).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
    });
  });

  test('belongs to one session', async () => {
    await using endpoint = await openEndpoint({ notifications: true });
    const [mine, other] = [await beginSession(endpoint), await beginSession(endpoint)];
    const [ours, theirs] = [await openStream(endpoint, mine), await openStream(endpoint, other)];
    endpoint.notify({ method: 'notifications/a' }, mine['mcp-session-id']);
    endpoint.notify({ method: 'notifications/b' });
    expect((await ours.next()).value).toMatchObject({ method: 'notifications/a' });
    expect((await ours.next()).value).toMatchObject({ method: 'notifications/b' });
    expect((await theirs.next()).value).toMatchObject({ method: 'notifications/b' });
  });

  test('replaces the previous one', async () => {
    await using endpoint = await openEndpoint({ notifications: true });
    const headers = await beginSession(endpoint);
    const first = await openStream(endpoint, headers);
    const second = await openStream(endpoint, headers);
    expect(await first.next()).toEqual({ done: true, value: undefined });
    endpoint.notify({ method: 'notifications/a' });
    expect((await second.next()).value).toMatchObject({ method: 'notifications/a' });
  });

  test('ends with its session', async () => {
    await using endpoint = await openEndpoint({ notifications: true });
    const headers = await beginSession(endpoint);
    const events = await openStream(endpoint, headers);
    await send(endpoint, { method: 'DELETE', headers });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test('is refused to another principal', async () => {
    await using endpoint = await openEndpoint({ notifications: true });
    expect((await send(endpoint, { method: 'GET' })).status).toBe(400);
    expect((await send(endpoint, { method: 'GET', headers: { 'mcp-session-id': 'x' } })).status).toBe(404);
  });
});

describe('a client that lost the stream of a call', () => {
  test('is told that the call was not completed, and the tool is cancelled', async () => {
    await using endpoint = await openEndpoint({ limits });
    const headers = await beginSession(endpoint);
    const event = await loseStream(endpoint, headers);
    const response = await resume(endpoint, { ...headers, 'last-event-id': event });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      id: 1,
      error: { code: -32_000, message: expect.stringContaining('not completed') },
    });
    await eventually(() => expect(endpoint.stage.waits.aborted).toEqual(['a']));
    expect(endpoint.kinds()).toContain('resumed-call');
  });

  test('gets the result of a call that was completed, as often as it asks', async () => {
    const called = vi.fn<EndpointMeters['countCall']>();
    await using endpoint = await openEndpoint({ limits, meters: { ...createMeters(), countCall: called } });
    const headers = await beginSession(endpoint);
    const { event, socket } = await openWait(endpoint, headers);
    await completeUnread(endpoint, called);
    socket.destroy();
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await resume(endpoint, { ...headers, 'last-event-id': event });
      expect(response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'released' }] } });
    }
    // It gets the result of that call, not of the next one with the same id.
    await using other = await openEndpoint({ limits });
    const elsewhere = await resume(other, {
      ...(await beginSession(other)),
      'last-event-id': event,
    });
    expect(elsewhere.status).toBe(404);
  });

  test('learns nothing about the streams of another session', async () => {
    await using endpoint = await openEndpoint({ limits });
    const mine = await beginSession(endpoint);
    const event = await loseStream(endpoint, mine);
    const other = await beginSession(endpoint);
    const stranger = await beginSession(endpoint, { headers: { authorization: `Bearer ${otherToken}` } });
    for (const headers of [
      other,
      stranger,
      { ...stranger, 'mcp-session-id': mine['mcp-session-id'] ?? '' },
    ]) {
      expect((await resume(endpoint, { ...headers, 'last-event-id': event })).status).toBe(404);
    }
    expect((await resume(endpoint, { ...mine, 'last-event-id': event })).status).toBe(200);
  });

  test.each(['x', 'A'.repeat(60)])('cannot invent an event id: %s', async (event) => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    expect((await resume(endpoint, { ...headers, 'last-event-id': event })).status).toBe(404);
  });

  test('of an older revision gets no event without data', async () => {
    await using endpoint = await openEndpoint({ limits });
    const headers = await beginSession(endpoint, { version: '2025-06-18' });
    const socket = await openSocket(endpoint);
    const body = JSON.stringify(call(1, 'roots'));
    socket.write(head(endpoint, { ...headers, 'content-length': body.length }) + body);
    const text = await readUntil(socket, 'roots/list');
    expect(text).not.toContain('id: ');
    socket.destroy();
  });
});

describe.runIf(canRun('redis-server'))(`with several nodes${needs('redis-server')}`, () => {
  test('any node returns a result that another one has', async () => {
    const called = vi.fn<EndpointMeters['countCall']>();
    await using pair = await openPair({
      endpoint: { limits, meters: { ...createMeters(), countCall: called } },
    });
    const { one, other } = pair;
    const headers = await beginSession(one);
    const { event, socket } = await openWait(one, headers);
    await completeUnread(one, called);
    socket.destroy();
    const response = await resume(other, { ...headers, 'last-event-id': event });
    expect(response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'released' }] } });
  });

  test('a call that runs on another node is ended there, and its client is told', async () => {
    await using pair = await openPair({ endpoint: { limits } });
    const { one, other } = pair;
    const headers = await beginSession(one);
    const { event, socket } = await openWait(one, headers);
    const response = await resume(other, { ...headers, 'last-event-id': event });
    expect(response.json().error?.message).toContain('not completed');
    await eventually(() => expect(one.stage.waits.aborted).toEqual(['a']));
    socket.destroy();
  });

  test('a call on a silent node counts as lost, and a later answer changes nothing', async () => {
    const called = vi.fn<EndpointMeters['countCall']>();
    await using redis = await startRedis();
    const secrets = [Buffer.alloc(32, 7)];
    const open = () => openRedisStore({ address: redis.address, secrets });
    const [silent, store] = [await open(), await open()];
    await using one = await openEndpoint({
      sessions: silent,
      limits,
      meters: { ...createMeters(), countCall: called },
    });
    await using other = await openEndpoint({ sessions: store, limits });
    const headers = await beginSession(one);
    const { event, socket } = await openWait(one, headers);
    const missed: Envelope[] = [];
    // The node is suspended: messages to it wait.
    silent.onDeliver((envelope) => missed.push(envelope) > 0);
    const asked = performance.now();
    const first = await resume(other, { ...headers, 'last-event-id': event });
    expect(first.json().error?.message).toContain('outcome of the call is unknown');
    expect(performance.now() - asked).toBeLessThan(10_000);
    expect(other.kinds()).toContain('lost-call');
    await completeUnread(one, called);
    socket.destroy();
    const second = await resume(one, { ...headers, 'last-event-id': event });
    expect(second.json().error?.message).toContain('outcome of the call is unknown');
    await eventually(() =>
      expect(missed.map(({ message }) => (message as { method: string }).method)).toContain(
        'notifications/cancelled',
      ),
    );
    await Promise.all([silent.close(), store.close()]);
  });
});

const limits = { streamAfterMs: 1, sweepMs: 10 };

/** Lets the tool finish, and waits until its response is sent. */
async function completeUnread(
  { stage }: TestEndpoint,
  called: ReturnType<typeof vi.fn<EndpointMeters['countCall']>>,
): Promise<void> {
  for (const release of stage.release) release();
  await eventually(() => expect(called).toHaveBeenCalledWith(expect.objectContaining({ ok: true })));
}

/** Calls a tool that waits, reads the first event, and breaks the connection. */
async function loseStream(endpoint: TestEndpoint, headers: Record<string, string>): Promise<string> {
  const { event, socket } = await openWait(endpoint, headers);
  socket.destroy();
  return event;
}

async function openWait(
  endpoint: TestEndpoint,
  headers: Record<string, string>,
): Promise<{ readonly event: string; readonly socket: Awaited<ReturnType<typeof openSocket>> }> {
  const socket = await openSocket(endpoint);
  const body = JSON.stringify(call(1, 'wait', { text: 'a' }));
  socket.write(head(endpoint, { ...headers, 'content-length': body.length }) + body);
  const text = await readUntil(socket, 'data: \n');
  return { event: /^id: (\S+)$/m.exec(text)?.[1] ?? '', socket };
}

async function readUntil(socket: Awaited<ReturnType<typeof openSocket>>, end: string): Promise<string> {
  socket.setEncoding('utf8');
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes(end)) break;
  }
  return text;
}

function resume(endpoint: TestEndpoint, headers: Record<string, string>): ReturnType<typeof send> {
  return send(endpoint, { method: 'GET', headers });
}
