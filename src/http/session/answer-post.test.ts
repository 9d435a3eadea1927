import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, head, openSocket, send } from '../../../test/support/http/raw.ts';
import { openMemoryStore } from '../../sessions/memory-store.ts';

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
