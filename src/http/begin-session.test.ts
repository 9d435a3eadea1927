import { describe, expect, test } from 'vitest';
import { openEndpoint } from '../../test/http/open-endpoint.ts';
import { beginSession, call, initialize, send } from '../../test/http/raw.ts';
import { runProgram } from '../../test/http/run-program.ts';
import { openMemoryStore } from '../sessions/memory-store.ts';

describe('a session', () => {
  test('cannot be begun inside another one', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    expect((await send(endpoint, { headers: mine, body: initialize })).status).toBe(400);
  });

  test('does not take parameters that nobody could want to keep', async () => {
    await using endpoint = await openEndpoint();
    const params = { ...initialize.params, x: 'x'.repeat(20_000) };
    expect((await send(endpoint, { body: { ...initialize, params } })).status).toBe(413);
  });

  test('is not begun faster than the operator allows', async () => {
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

  test('is one of so many', async () => {
    const sessions = openMemoryStore({ most: 1 });
    await using endpoint = await openEndpoint({ sessions });
    await beginSession(endpoint);
    const response = await send(endpoint, { body: initialize });
    expect(response.status).toBe(503);
    expect(response.headers['mcp-session-id']).toBeUndefined();
    await sessions.close();
  });

  test('costs less than 2 KiB while it is idle', { timeout: 60_000 }, async () => {
    const { bytes } = (await runProgram('idle-sessions.mjs')) as { bytes: number };
    expect(bytes).toBeLessThan(2_048);
  });
});
