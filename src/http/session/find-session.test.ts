import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/http/eventually.ts';
import { openEndpoint, otherToken } from '../../../test/support/http/open-endpoint.ts';
import { beginSession, call, initialize, send } from '../../../test/support/http/raw.ts';
import { unreachable } from '../../../test/support/http/unreachable.ts';
import { openMemoryStore } from '../../sessions/memory-store.ts';

const bearer = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });

describe('a session', () => {
  test('is not found with another token, with the same message as an unknown one', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    expect((await send(endpoint, { headers: mine, body: call(1, 'echo', { text: 'x' }) })).status).toBe(200);
    const theirs = { ...mine, ...bearer(otherToken) };
    const stolen = await send(endpoint, { headers: theirs, body: call(2, 'echo', { text: 'x' }) });
    const unknown = await send(endpoint, {
      headers: { ...theirs, 'mcp-session-id': '00000000-0000-4000-8000-000000000000' },
      body: call(2, 'echo', { text: 'x' }),
    });
    expect(stolen.status).toBe(404);
    expect(stolen.text).toBe(unknown.text);
    expect(stolen.json().error?.code).toBe(-32_001);
    expect(endpoint.events.at(-2)).toMatchObject({
      kind: 'foreign-session',
      session: mine['mcp-session-id'],
    });
    expect(endpoint.events.at(-1)).toMatchObject({ kind: 'unknown-session' });
  });

  test('expires when it is idle', async () => {
    const sessions = openMemoryStore({ idle: 100 });
    await using endpoint = await openEndpoint({ sessions });
    const headers = await beginSession(endpoint);
    await eventually(async () => expect(await sessions.count()).toBe(0));
    const response = await send(endpoint, { headers, body: call(1, 'echo', { text: 'x' }) });
    expect(response.status).toBe(404);
    expect(response.json().error?.code).toBe(-32_001);
    await sessions.close();
  });

  test('in an unavailable store is refused at once, with Retry-After', async () => {
    const sessions = openMemoryStore();
    await using endpoint = await openEndpoint({ sessions: unreachable(sessions) });
    const responses = await Promise.all([
      send(endpoint, { body: initialize }),
      send(endpoint, { headers: { 'mcp-session-id': 'x' }, body: call(1, 'echo', { text: 'x' }) }),
      send(endpoint, { method: 'DELETE', headers: { 'mcp-session-id': 'x' } }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
    for (const { headers } of responses) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await sessions.close();
  });

  test('that fails for another reason is not reported as unavailable', async () => {
    const sessions = openMemoryStore();
    vi.spyOn(sessions, 'remove').mockRejectedValue(new Error('a fault of ours'));
    await using endpoint = await openEndpoint({ sessions });
    const headers = await beginSession(endpoint);
    const response = await send(endpoint, { method: 'DELETE', headers });
    expect(response.status).toBe(500);
    expect(response.headers['retry-after']).toBeUndefined();
    expect(response.text).not.toContain('a fault of ours');
    await sessions.close();
  });
});

describe('ending a session', () => {
  test('needs the same token', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    expect(
      (await send(endpoint, { method: 'DELETE', headers: { ...mine, ...bearer(otherToken) } })).status,
    ).toBe(404);
    expect((await send(endpoint, { headers: mine, body: call(1, 'echo', { text: 'x' }) })).status).toBe(200);
  });

  test('by DELETE also ends its running calls', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    const waiting = send(endpoint, { headers: mine, body: call(1, 'wait', { text: 'a' }) });
    await eventually(() => expect(endpoint.stage.waits.begun).toEqual(['a']));
    expect((await send(endpoint, { method: 'DELETE', headers: mine })).status).toBe(204);
    expect((await waiting).json()).toMatchObject({ id: 1, error: { message: 'The session is over' } });
    await eventually(() => expect(endpoint.stage.waits.aborted).toEqual(['a']));
    expect((await send(endpoint, { headers: mine, body: call(2, 'echo', { text: 'x' }) })).status).toBe(404);
  });
});
