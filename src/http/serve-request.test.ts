import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { openEndpoint, type TestEndpoint, token } from '../../test/support/http/open-endpoint.ts';
import {
  beginSession,
  call,
  initialize,
  type RawRequest,
  type RawResponse,
  send,
} from '../../test/support/http/raw.ts';

const bearer = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });

describe('lets in', () => {
  test.each<[string, RawRequest]>([
    ['a program that sends no Origin', {}],
    [
      'a page of our own origin',
      { headers: { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-origin' } },
    ],
    ['a request to localhost', { headers: { host: 'localhost:PORT', origin: 'http://localhost:PORT' } }],
    ['a request to [::1]', { headers: { host: '[::1]:PORT' } }],
    ['a request to LOCALHOST', { headers: { host: 'LOCALHOST:PORT' } }],
    ['a scheme in small letters', { headers: { authorization: `bearer ${token}` } }],
    ['a type with a charset', { headers: { 'content-type': 'application/json; charset=utf-8' } }],
    ['a client that accepts anything', { headers: { accept: '*/*' } }],
    ['a query, which is ignored', { path: '/mcp?x=1' }],
  ])('%s', async (_who, asked) => {
    await using endpoint = await openEndpoint();
    const response = await send(endpoint, { ...withPort(asked, endpoint.port), body: initialize });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({ id: 0, result: { serverInfo: { name: 'example' } } });
  });
});

describe('refuses, before the body is read,', () => {
  test.each<[string, number, string, RawRequest]>([
    ['a foreign Host', 403, 'foreign-host', { headers: { host: 'evil.example' } }],
    ['a foreign Host with our port', 403, 'foreign-host', { headers: { host: 'evil.example:PORT' } }],
    ['our Host with another port', 403, 'foreign-host', { headers: { host: '127.0.0.1:1' } }],
    ['our Host without a port', 403, 'foreign-host', { headers: { host: '127.0.0.1' } }],
    [
      'a Host that begins like ours',
      403,
      'foreign-host',
      { headers: { host: 'localhost.evil.example:PORT' } },
    ],
    ['a Host with a user', 403, 'foreign-host', { headers: { host: 'a@localhost:PORT' } }],
    ['0.0.0.0', 403, 'foreign-host', { headers: { host: '0.0.0.0:PORT' } }],
    [
      'a foreign Host that a proxy vouches for',
      403,
      'foreign-host',
      {
        headers: { host: 'evil.example', 'x-forwarded-host': '127.0.0.1:PORT' },
      },
    ],
    ['a foreign Origin', 403, 'foreign-origin', { headers: { origin: 'https://evil.example' } }],
    [
      'the Origin of another local port',
      403,
      'foreign-origin',
      { headers: { origin: 'http://localhost:9999' } },
    ],
    ['our Origin without a port', 403, 'foreign-origin', { headers: { origin: 'http://127.0.0.1' } }],
    ['our Origin over https', 403, 'foreign-origin', { headers: { origin: 'https://127.0.0.1:PORT' } }],
    ['an Origin that is null', 403, 'foreign-origin', { headers: { origin: 'null' } }],
    ['a page of another site', 403, 'cross-site', { headers: { 'sec-fetch-site': 'cross-site' } }],
    [
      'a page of another host of the same site',
      403,
      'cross-site',
      { headers: { 'sec-fetch-site': 'same-site' } },
    ],
    [
      'a preflight',
      403,
      'preflight',
      { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
    ],
    ['no token', 401, 'no-token', { without: ['authorization'] }],
    ['a token in the query', 401, 'no-token', { without: ['authorization'], path: `/mcp?token=${token}` }],
    ['another scheme', 401, 'no-token', { headers: { authorization: `Basic ${token}` } }],
    ['an empty token', 401, 'no-token', { headers: { authorization: 'Bearer ' } }],
    ['a wrong token', 401, 'wrong-token', { headers: bearer('x'.repeat(37)) }],
    ['a token with a suffix', 401, 'wrong-token', { headers: bearer(`${token}x`) }],
    ['a token in another case', 401, 'wrong-token', { headers: bearer(token.toUpperCase()) }],
    ['another path', 404, 'no-such-path', { path: '/' }],
    ['a path that goes on', 404, 'no-such-path', { path: '/mcp/x' }],
    ['an absolute target', 400, 'absolute-target', { path: 'http://evil.example/mcp' }],
    ['PUT', 405, 'no-such-method', { method: 'PUT' }],
    ['GET', 405, 'no-such-method', { method: 'GET' }],
    ['plain text', 415, 'media-type', { headers: { 'content-type': 'text/plain' } }],
    ['a form', 415, 'media-type', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['a type that begins like JSON', 415, 'media-type', { headers: { 'content-type': 'application/jsonp' } }],
    ['no type', 415, 'media-type', { without: ['content-type'] }],
    [
      'a client that accepts neither of our types',
      406,
      'not-acceptable',
      { headers: { accept: 'text/html' } },
    ],
  ])('%s', async (_who, status, kind, asked) => {
    await using endpoint = await openEndpoint();
    const body = asked.method === undefined ? initialize : undefined;
    const response = await send(endpoint, { ...withPort(asked, endpoint.port), body });
    expect(response.status).toBe(status);
    expect(endpoint.kinds()).toEqual([kind]);
    expect(endpoint.stage.built).toEqual([]);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('names the authentication scheme if the token is missing', async () => {
    await using endpoint = await openEndpoint();
    const response = await send(endpoint, { without: ['authorization'] });
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('a health check', () => {
  test('learns that the server runs, without a token, and nothing else', async () => {
    await using endpoint = await openEndpoint();
    const asked = { method: 'GET', path: '/healthz', without: ['authorization'] };
    const response = await send(endpoint, asked);
    expect([response.status, response.text]).toEqual([200, '{"status":"ok"}']);
    expect((await send(endpoint, { ...asked, headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await send(endpoint, { ...asked, path: '/healthz?x' })).text).toBe('{"status":"ok"}');
  });

  test('may only use GET and HEAD, with or without a token', async () => {
    await using endpoint = await openEndpoint();
    for (const without of [['authorization'], []]) {
      const response = await send(endpoint, { path: '/healthz', without, body: initialize });
      expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
    expect(endpoint.stage.built).toEqual([]);
  });
});

function withPort(asked: RawRequest, port: number): RawRequest {
  const headers = Object.entries(asked.headers ?? {}).map(([name, value]) => [
    name,
    value.replace('PORT', `${port}`),
  ]);
  return { ...asked, headers: Object.fromEntries(headers) };
}

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
  test('gets its preflight answered', async () => {
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

  test('may call, and may read the answer and the session id', async () => {
    await using endpoint = await openEndpoint({ origins: [page] });
    const response = await send(endpoint, { headers: elsewhere, body: initialize });
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(page);
    expect(response.headers['access-control-expose-headers']).toContain('mcp-session-id');
  });

  test('needs a token too, and may read the refusal', async () => {
    await using endpoint = await openEndpoint({ origins: [page] });
    const response = await send(endpoint, {
      headers: elsewhere,
      without: ['authorization'],
      body: initialize,
    });
    expect(response.status).toBe(401);
    expect(response.headers['access-control-allow-origin']).toBe(page);
  });

  test('may not call with a foreign Host', async () => {
    await using endpoint = await openEndpoint({ origins: [page] });
    const headers = { ...elsewhere, host: 'evil.example' };
    const response = await send(endpoint, { headers, body: initialize });
    expect(response.status).toBe(403);
    expect(corsIn(response)).toEqual([]);
  });
});

test('any other page is refused', async () => {
  await using endpoint = await openEndpoint({ origins: [page] });
  for (const origin of ['https://evil.example', 'null', `${page}.evil.example`, 'http://app.example']) {
    const asked = await preflight(endpoint, origin);
    expect([asked.status, corsIn(asked)]).toEqual([403, []]);
    const called = await send(endpoint, { headers: { ...elsewhere, origin }, body: initialize });
    expect([called.status, corsIn(called)]).toEqual([403, []]);
  }
});

test('a program and our own page get no CORS headers', async () => {
  await using endpoint = await openEndpoint({ origins: [page] });
  const own = { origin: `http://127.0.0.1:${endpoint.port}`, 'sec-fetch-site': 'same-origin' };
  for (const headers of [{}, own])
    expect(corsIn(await send(endpoint, { headers, body: initialize }))).toEqual([]);
});

describe('a body', () => {
  test.each<[string, number, number, unknown]>([
    ['that is no JSON', 400, -32_700, '{"jsonrpc":'],
    ['that is empty', 400, -32_700, ''],
    ['that is no JSON-RPC', 400, -32_600, { hello: 'world' }],
    ['that is an empty batch', 400, -32_600, []],
    ['of another version of JSON-RPC', 400, -32_600, { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['whose id is null', 400, -32_600, { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['whose id is an object', 400, -32_600, { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['whose params are a list', 400, -32_600, { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }],
    // JSON-RPC lets a client leave params out, not send null; the schemas of both SDKs refuse it, too.
    ['whose params are null', 400, -32_600, { jsonrpc: '2.0', id: 1, method: 'ping', params: null }],
    ['with a result and an error', 400, -32_600, { jsonrpc: '2.0', id: 1, result: {}, error: {} }],
    ['of a call without a session', 400, -32_000, call(1, 'echo', { text: 'x' })],
  ])('%s is refused', async (_what, status, code, body) => {
    await using endpoint = await openEndpoint();
    const response = await send(endpoint, { body });
    expect(response.status).toBe(status);
    expect(response.json().error?.code).toBe(code);
    expect(JSONRPCMessageSchema.safeParse(response.json())).toMatchObject({ success: true });
    expect(endpoint.stage.built).toEqual([]);
  });
});

test('a deeply nested body fails alone', async () => {
  await using endpoint = await openEndpoint();
  const depth = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  const body = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":${depth}}}`;
  expect((await send(endpoint, { body })).status).toBeGreaterThanOrEqual(400);
  expect((await send(endpoint, { body: initialize })).status).toBe(200);
});

describe('an answer', () => {
  test('is JSON if no event comes before it', async () => {
    await using endpoint = await openEndpoint();
    const headers = await beginSession(endpoint);
    const response = await send(endpoint, { headers, body: call(1, 'echo', { text: 'x' }) });
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'x' }] } });
  });

  test('does not reveal an internal error', async () => {
    await using endpoint = await openEndpoint({
      createServer: () => {
        throw new Error('the secret is 42');
      },
    });
    const response = await send(endpoint, { body: initialize });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('42');
    expect(endpoint.events[0]).toMatchObject({ kind: 'failed', error: new Error('the secret is 42') });
  });
});
