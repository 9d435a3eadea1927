import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, head, openSocket, send } from '../../../test/support/http/raw.ts';
import { openMemoryStore } from '../../sessions/memory-store.ts';
import type { SessionRecord, SessionStore } from '../../sessions/record/session-store.ts';
import { createSessionMemory } from './answer-post.ts';

describe('a call', () => {
  test('is limited per session, without affecting other sessions', async () => {
    await using endpoint = await openEndpoint({ limits: { callsPerSession: 2 } });
    const [mine, other] = [await beginSession(endpoint), await beginSession(endpoint)];
    const waiting = [1, 2].map((id) =>
      send(endpoint, { headers: mine, body: call(id, 'wait', { text: `${id}` }) }),
    );
    await eventually(() => expect(endpoint.stage.waits.begun).toHaveLength(2));
    expect((await send(endpoint, { headers: mine, body: call(3, 'echo', { text: 'x' }) })).status).toBe(503);
    expect((await send(endpoint, { headers: other, body: call(3, 'echo', { text: 'x' }) })).status).toBe(200);
    for (const release of endpoint.stage.release) release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('does not run two requests with one id', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const waiting = send(endpoint, { headers: mine, body: call(7, 'wait', { text: 'a' }) });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    expect((await send(endpoint, { headers: mine, body: call(7, 'echo', { text: 'x' }) })).status).toBe(400);
    expect((await send(endpoint, { headers: mine, body: call('7', 'echo', { text: 'x' }) })).status).toBe(
      200,
    );
    for (const release of endpoint.stage.release) release();
    expect((await waiting).json()).toMatchObject({ id: 7 });
  });

  test('fails when it takes too long, and its tool is cancelled', async () => {
    await using endpoint = await openEndpoint({ limits: { callMs: 50, sweepMs: 10 } });
    const headers = await beginSession(endpoint);
    const response = await send(endpoint, { headers, body: call(1, 'wait', { text: 'a' }) });
    expect(response.json()).toMatchObject({ id: 1, error: { message: 'The call took too long' } });
    await eventually(() => expect(endpoint.stage.waits.aborted).toEqual(['a']));
  });

  test('is cancelled when its client disconnects', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const socket = await openSocket(endpoint);
    const body = JSON.stringify(call(1, 'wait', { text: 'a' }));
    socket.write(head(endpoint, { ...headers, 'content-length': body.length }) + body);
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    socket.destroy();
    await eventually(() => expect(endpoint.stage.waits.aborted).toEqual(['a']));
  });

  test('keeps its session alive', async () => {
    const sessions = openMemoryStore({ idle: 300 });
    await using endpoint = await openEndpoint({ sessions, limits: { keepAliveMs: 20, sweepMs: 10 } });
    const headers = await beginSession(endpoint);
    await beginSession(endpoint);
    const waiting = send(endpoint, { headers, body: call(1, 'wait', { text: 'a' }) });
    await eventually(async () => expect(await sessions.count()).toBe(1));
    for (const release of endpoint.stage.release) release();
    await waiting;
    expect((await send(endpoint, { headers, body: call(2, 'echo', { text: 'x' }) })).status).toBe(200);
    await sessions.close();
  });

  test('is answered even if its server fails to close, and so is the next one', async () => {
    const createServer = (): McpServer => {
      const server = new McpServer({ name: 's', version: '1' });
      server.registerTool('where', {}, () => ({ content: [{ type: 'text', text: 'here' }] }));
      server.server.onclose = () => {
        throw new Error('of the author');
      };
      return server;
    };
    await using endpoint = await openEndpoint({ createServer });
    const headers = await beginSession(endpoint);
    for (const id of [1, 2])
      expect((await send(endpoint, { headers, body: call(id, 'where', {}) })).json()).toMatchObject({ id });
  });
});

const empty = { state: 'empty', revoked: false } as const;

async function begin(): Promise<{ store: SessionStore; record: SessionRecord }> {
  const store = openMemoryStore();
  const start = { id: 's', principal: 'me', protocolVersion: '2025-11-25', initialize: { a: 1 } };
  const record = await store.create(start);
  if (record === undefined) throw new Error('there is no room');
  return { store, record };
}

test('a server sees what the session remembers, but not its owner', async () => {
  const { store, record } = await begin();
  const memory = createSessionMemory(store, record);
  expect(memory.current()).toEqual({
    generation: 0,
    answer: { state: 'unasked' },
    answered: -1,
    initialize: { a: 1 },
  });
});

test('the next server sees what the previous one kept', async () => {
  const { store, record } = await begin();
  const memory = createSessionMemory(store, record);
  expect(await memory.keepAnswer(0, empty)).toBe(true);
  await memory.keepSwitched({ text: 'app' });
  expect(memory.current()).toMatchObject({ answer: empty, answered: 0, switched: { text: 'app' } });
  expect(await store.touch('s')).toMatchObject({ answer: empty, answered: 0, switched: { text: 'app' } });
  await memory.keepSwitched(undefined);
  expect(memory.current().switched).toBeUndefined();
});

test('does not keep an answer that another request made stale', async () => {
  const { store, record } = await begin();
  const memory = createSessionMemory(store, record);
  await store.invalidate('s');
  expect(await memory.keepAnswer(0, empty)).toBe(false);
  expect(memory.current().answer).toEqual({ state: 'unasked' });
  // A caller that asks again because of that is not refused again.
  const { generation } = memory.current();
  expect(await memory.keepAnswer(generation, empty)).toBe(true);
});

test('counts a change once, whether the endpoint or the server sees it first', async () => {
  const { store, record } = await begin();
  await createSessionMemory(store, record, { announced: true }).invalidate();
  expect(await store.touch('s')).toMatchObject({ generation: 0 });
  const memory = createSessionMemory(store, record);
  await memory.invalidate();
  expect(memory.current().generation).toBe(1);
  expect(await store.touch('s')).toMatchObject({ generation: 1 });
});

test('the parameters of initialize never change', async () => {
  const { store, record } = await begin();
  const memory = createSessionMemory(store, record);
  await memory.keepInitialize({ a: 2 });
  expect(memory.current().initialize).toEqual({ a: 1 });
});
