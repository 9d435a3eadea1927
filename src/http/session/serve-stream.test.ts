import { describe, expect, test } from 'vitest';
import { openEndpoint } from '../../../test/http/open-endpoint.ts';
import { beginSession, openStream, send } from '../../../test/http/raw.ts';

describe('a stream for notifications', () => {
  test('carries what belongs to no request, where the operator wants it', async () => {
    await using endpoint = await openEndpoint({ notifications: true });
    const headers = await beginSession(endpoint);
    const events = await openStream(endpoint, headers);
    endpoint.notify({ method: 'notifications/tools/list_changed' });
    expect((await events.next()).value).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
    });
  });

  test('is that of its session', async () => {
    await using endpoint = await openEndpoint({ notifications: true });
    const [mine, other] = [await beginSession(endpoint), await beginSession(endpoint)];
    const [ours, theirs] = [await openStream(endpoint, mine), await openStream(endpoint, other)];
    endpoint.notify({ method: 'notifications/a' }, mine['mcp-session-id']);
    endpoint.notify({ method: 'notifications/b' });
    expect((await ours.next()).value).toMatchObject({ method: 'notifications/a' });
    expect((await ours.next()).value).toMatchObject({ method: 'notifications/b' });
    expect((await theirs.next()).value).toMatchObject({ method: 'notifications/b' });
  });

  test('takes the place of the one before it', async () => {
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

  test('is not for somebody else', async () => {
    await using endpoint = await openEndpoint({ notifications: true });
    expect((await send(endpoint, { method: 'GET' })).status).toBe(400);
    expect((await send(endpoint, { method: 'GET', headers: { 'mcp-session-id': 'x' } })).status).toBe(404);
  });
});
