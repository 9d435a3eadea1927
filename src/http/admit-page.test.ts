import { describe, expect, test } from 'vitest';
import { openEndpoint, type TestEndpoint } from '../../test/http/open-endpoint.ts';
import { initialize, type RawResponse, send } from '../../test/http/raw.ts';

const page = 'https://app.example';
const elsewhere = { origin: page, 'sec-fetch-site': 'cross-site' };

const preflight = (endpoint: TestEndpoint, origin: string): Promise<RawResponse> =>
  send(endpoint, {
    method: 'OPTIONS',
    without: ['authorization', 'content-type'],
    headers: { origin, 'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site' },
  });

const corsIn = ({ headers }: RawResponse): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'));

describe('a page of another site that the operator named', () => {
  test('is told before it calls what it may send', async () => {
    await using endpoint = await openEndpoint({ origins: [page] });
    const { status, headers } = await preflight(endpoint, page);
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe(page);
    expect(headers['access-control-allow-methods']).toContain('POST');
    const allowed = String(headers['access-control-allow-headers']);
    for (const name of ['authorization', 'content-type', 'mcp-session-id', 'mcp-protocol-version'])
      expect(allowed).toContain(name);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['vary']).toContain('origin');
  });

  test('calls, and may read its answer and the session', async () => {
    await using endpoint = await openEndpoint({ origins: [page] });
    const response = await send(endpoint, { headers: elsewhere, body: initialize });
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(page);
    expect(response.headers['access-control-expose-headers']).toContain('mcp-session-id');
  });

  test('needs the token like everybody, and can read that', async () => {
    await using endpoint = await openEndpoint({ origins: [page] });
    const response = await send(endpoint, {
      headers: elsewhere,
      without: ['authorization'],
      body: initialize,
    });
    expect(response.status).toBe(401);
    expect(response.headers['access-control-allow-origin']).toBe(page);
  });

  test('may not call by a name that is not ours', async () => {
    await using endpoint = await openEndpoint({ origins: [page] });
    const headers = { ...elsewhere, host: 'evil.example' };
    const response = await send(endpoint, { headers, body: initialize });
    expect(response.status).toBe(403);
    expect(corsIn(response)).toEqual([]);
  });
});

test('any other page is refused as before', async () => {
  await using endpoint = await openEndpoint({ origins: [page] });
  for (const origin of ['https://evil.example', 'null', `${page}.evil.example`, 'http://app.example']) {
    const asked = await preflight(endpoint, origin);
    expect([asked.status, corsIn(asked)]).toEqual([403, []]);
    const called = await send(endpoint, { headers: { ...elsewhere, origin }, body: initialize });
    expect([called.status, corsIn(called)]).toEqual([403, []]);
  }
});

test('a program and our own page are told nothing of it', async () => {
  await using endpoint = await openEndpoint({ origins: [page] });
  const own = { origin: `http://127.0.0.1:${endpoint.port}`, 'sec-fetch-site': 'same-origin' };
  for (const headers of [{}, own])
    expect(corsIn(await send(endpoint, { headers, body: initialize }))).toEqual([]);
});
