import { describe, expect, test, vi } from 'vitest';
import { openPair } from '../../../test/support/redis/open-pair.ts';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, head, initialize, openSocket, send } from '../../../test/support/http/raw.ts';
import { runProgram } from '../../../test/support/http/run-program.ts';
import { canRun, needs } from '../../../test/support/processes/system-programs.ts';
import { openMemoryStore } from '../../sessions/memory-store.ts';

describe('a session', () => {
  test('cannot begin inside another one', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    expect((await send(endpoint, { headers: mine, body: initialize })).status).toBe(400);
  });

  test('refuses parameters that are too large to store', async () => {
    await using endpoint = await openEndpoint();
    const params = { ...initialize.params, x: 'x'.repeat(20_000) };
    expect((await send(endpoint, { body: { ...initialize, params } })).status).toBe(413);
  });

  test('cannot begin more often than the operator allows', async () => {
    await using endpoint = await openEndpoint({ limits: { sessionBurst: 2, sessionsPerSecond: 0.001 } });
    const statuses = await Promise.all(Array.from({ length: 5 }, () => send(endpoint, { body: initialize })));
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(statuses.filter(({ status }) => status === 503)).toHaveLength(3);
    const refused = statuses.find(({ status }) => status === 503);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    const first = statuses.find(({ status }) => status === 200);
    const mine = { 'mcp-session-id': String(first?.headers['mcp-session-id']) };
    expect((await send(endpoint, { headers: mine, body: call(1, 'echo', { text: 'x' }) })).status).toBe(200);
  });

  test('counts towards the maximum', async () => {
    const sessions = openMemoryStore({ most: 1 });
    await using endpoint = await openEndpoint({ sessions });
    await beginSession(endpoint);
    const response = await send(endpoint, { body: initialize });
    expect(response.status).toBe(503);
    expect(response.headers['mcp-session-id']).toBeUndefined();
    await sessions.close();
  });

  test('is refused at once while the store is unavailable', async () => {
    const store = openMemoryStore();
    const create = vi.spyOn(store, 'create');
    vi.spyOn(store, 'available').mockReturnValue(false);
    await using endpoint = await openEndpoint({ sessions: store });
    const response = await send(endpoint, { body: initialize });
    expect([response.status, endpoint.kinds()]).toEqual([503, ['sessions-unavailable']]);
    expect(create).not.toHaveBeenCalled();
    await store.close();
  });

  test('begins although others wait behind another response on their connection', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(endpoint)));
    for (const [id, socket] of sockets.entries()) {
      const [slow, start] = [call(id, 'wait', { text: `${id}` }), initialize].map((it) => JSON.stringify(it));
      const first = head(endpoint, { ...headers, 'content-length': slow?.length ?? 0 }) + slow;
      socket.write(first + head(endpoint, { 'content-length': start?.length ?? 0 }) + start);
    }
    await eventually(() => expect(endpoint.stage.waits.begun).toHaveLength(10));
    // All of the others have begun, though none has its response.
    const begun = (): number => endpoint.kinds().filter((kind) => kind === 'session-begun').length;
    await eventually(() => expect(begun()).toBe(11));
    expect((await send(endpoint, { body: initialize })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test.runIf(canRun('redis-server'))(
    `is refused soon when the engine stands still, also to a crowd${needs('redis-server')}`,
    async () => {
      await using pair = await openPair();
      await beginSession(pair.one);
      pair.redis.pause();
      const create = vi.spyOn(pair.store, 'create');
      const crowd = Array.from({ length: 100 }, async () => {
        const { status, headers } = await send(pair.one, { body: initialize });
        return [status, Number(headers['retry-after']) > 0];
      });
      expect(new Set((await Promise.all(crowd)).map(String))).toEqual(new Set(['503,true']));
      // Few waited for the engine, and the others were refused with them: not all of them eight at a time.
      expect(create.mock.calls.length).toBeGreaterThan(0);
      expect(create.mock.calls.length).toBeLessThan(50);
      pair.redis.resume();
    },
  );

  test('costs less than 2 KiB while it is idle', { timeout: 60_000 }, async () => {
    const { bytes } = (await runProgram('idle-sessions.mjs')) as { bytes: number };
    expect(bytes).toBeLessThan(2_048);
  });
});
