import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/http/eventually.ts';
import { openEndpoint, otherToken } from '../../../test/http/open-endpoint.ts';
import { beginSession, call, send } from '../../../test/http/raw.ts';

const bearer = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });

describe('a session', () => {
  test('is not ended with another token', async () => {
    await using endpoint = await openEndpoint();
    const mine = await beginSession(endpoint);
    expect(
      (await send(endpoint, { method: 'DELETE', headers: { ...mine, ...bearer(otherToken) } })).status,
    ).toBe(404);
    expect((await send(endpoint, { headers: mine, body: call(1, 'echo', { text: 'x' }) })).status).toBe(200);
  });

  test('is over after DELETE, and so is what it had under way', async () => {
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
