import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, openOwnWeb, type OwnWeb, signIn } from './open-page.ts';

let own: OwnWeb;
let port: number;
beforeAll(async () => {
  own = await openOwnWeb({ entries: ['work/app/'] });
  port = own.web.port;
});
afterAll(() => own[Symbol.asyncDispose]());

describe('who may call', () => {
  test('the page itself, under every name of this machine', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const { status } = await call(port, '/', {
        headers: { host: `${host}:${port}`, origin: `http://${host}:${port}` },
      });
      expect(status).toBe(200);
    }
  });

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost:80',
    '0.0.0.0',
  ])('refuses the Host %s', async (host) => {
    const { status, text } = await call(port, '/', { headers: { host } });
    expect(status).toBe(403);
    expect(text).toContain('foreign-host');
  });

  test.each([
    'http://evil.example',
    'null',
    'http://localhost:9999',
    'https://127.0.0.1',
    'http://127.0.0.1',
  ])('refuses the Origin %s, whatever else it brings', async (origin) => {
    const { cookie, proof } = await signIn(own.web);
    const headers = { cookie, 'x-rootward-proof': proof, origin };
    const body = { path: own.tree.at('work/app'), operation: 'read' };
    expect((await call(port, '/api/try', { method: 'POST', body, headers })).status).toBe(403);
    const { origin: _origin, ...without } = headers;
    expect((await call(port, '/api/try', { method: 'POST', body, headers: without })).status).toBe(200);
  });

  test.each(['cross-site', 'same-site'])('refuses a request that a browser calls %s', async (site) => {
    expect((await call(port, '/', { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    expect((await call(port, '/', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  test('answers no preflight, and sends no CORS header', async () => {
    const { status, headers } = await call(port, '/api/roots', { method: 'OPTIONS' });
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the link', () => {
  test('carries its secret in the fragment, which no server is sent', () => {
    const { hash, search, pathname } = new URL(own.web.link());
    expect(hash.length).toBeGreaterThan(42);
    expect([search, pathname]).toEqual(['', '/']);
  });

  test('works once', async () => {
    const token = new URL(own.web.link()).hash.slice(1);
    const first = await call(port, '/api/session', { method: 'POST', body: { token } });
    const again = await call(port, '/api/session', { method: 'POST', body: { token } });
    expect([first.status, again.status]).toEqual([200, 401]);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.text).toContain('Press Enter in the terminal');
  });

  test('becomes a cookie that no script reads and no other site sends', async () => {
    const token = new URL(own.web.link()).hash.slice(1);
    const { headers } = await call(port, '/api/session', { method: 'POST', body: { token } });
    expect(headers['set-cookie']?.[0]).toMatch(
      /^rootward_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
  });
});

describe('the API', () => {
  test.each([
    '/api/roots',
    '/api/running',
    '/api/audit',
    '/api/audit/export',
    '/api/events',
    '/api/session',
    '/api/browse',
  ])('shows %s to nobody without a session', async (path) => {
    expect((await call(port, path)).status).toBe(401);
    const cookie = `rootward_${port}=${'x'.repeat(43)}`;
    expect((await call(port, path, { headers: { cookie } })).status).toBe(401);
  });

  test('changes nothing without the header of the page', async () => {
    const { cookie, proof, get, post } = await signIn(own.web);
    const body = { path: own.tree.at('work/app') };
    for (const headers of [
      { cookie },
      { cookie, 'x-rootward-proof': `${proof}x` },
      { 'x-rootward-proof': proof },
    ]) {
      const { status } = await call(port, '/api/roots/add', {
        method: 'POST',
        body,
        headers,
      });
      expect([401, 403]).toContain(status);
    }
    expect(await get('/api/roots')).toMatchObject({ roots: [] });
    expect((await post('/api/roots/add', body)).status).toBe(200);
    expect(await get('/api/roots')).toMatchObject({ roots: [{ name: 'app' }] });
    await post('/api/roots/remove', { root: 'app' });
  });

  test('the proof of one session is none for another', async () => {
    const [one, other] = [await signIn(own.web), await signIn(own.web)];
    const headers = { cookie: one.cookie, 'x-rootward-proof': other.proof };
    expect((await call(port, '/api/roots/add', { method: 'POST', body: {}, headers })).status).toBe(403);
  });

  test('a GET changes nothing, and a form cannot speak JSON', async () => {
    const { cookie, proof } = await signIn(own.web);
    const headers = { cookie, 'x-rootward-proof': proof };
    expect((await call(port, '/api/roots/add?path=/', { headers })).status).toBe(404);
    const form = { ...headers, 'content-type': 'text/plain' };
    expect((await call(port, '/api/roots/add', { method: 'POST', body: {}, headers: form })).status).toBe(
      415,
    );
    expect((await call(port, '/api/roots', { method: 'DELETE', headers })).status).toBe(405);
  });

  test('a body that is too large or of another kind is refused', async () => {
    const { post } = await signIn(own.web);
    expect((await post('/api/roots/add', { path: 'x'.repeat(300_000) })).status).toBe(400);
    expect((await post('/api/roots/add', { path: 7 })).status).toBe(400);
    expect((await post('/api/roots/add', { path: '/x', surprise: 1 })).status).toBe(400);
    expect((await post('/api/constructor', {})).status).toBe(404);
  });

  test('nothing outside of what the operator allows is listed or added', async () => {
    const { cookie, post } = await signIn(own.web);
    const outside = own.tree.at('home');
    own.tree.add('work/way => ../home');
    for (const path of [outside, own.tree.at('work/../home'), own.tree.at('work/way'), '/', '/etc']) {
      const { status, text } = await call(port, `/api/browse?path=${encodeURIComponent(path)}`, {
        headers: { cookie },
      });
      expect(status).toBe(409);
      expect(text).not.toContain('roots.jsonc');
      expect((await post('/api/roots/add', { path })).status).toBe(409);
    }
    const inside = `/api/browse?path=${encodeURIComponent(own.tree.at('work'))}`;
    expect((await call(port, inside, { headers: { cookie } })).text).toContain('"app"');
  });
});

describe('what is sent', () => {
  test('says what the page may do, on every answer', async () => {
    for (const path of ['/', '/nowhere', '/api/roots']) {
      const { headers } = await call(port, path);
      expect(headers['content-security-policy']).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'",
      );
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
    }
  });

  test('is no file but those of the page', async () => {
    for (const path of [
      '/../home/roots.jsonc',
      '/%2e%2e/home/roots.jsonc',
      '/index.html.map',
      '//etc/passwd',
    ]) {
      expect((await call(port, path)).status).toBe(404);
    }
  });
});

describe('the server', () => {
  test('ends when nobody looks', async () => {
    await using idle = await openOwnWeb({ idleMs: 50 });
    await idle.web.ended;
    expect(idle.web.pages).toBe(0);
  });

  test('knows a page again after a restart on the same port, and a thief of its file not', async () => {
    await using first = await openOwnWeb();
    const { cookie } = await signIn(first.web);
    await first.web.close();
    await using second = await openOwnWeb({ ...first.options, port: first.web.port });
    expect((await call(second.web.port, '/api/session', { headers: { cookie } })).status).toBe(200);
  });

  test('says who has the port already', async () => {
    await expect(openOwnWeb({ port })).rejects.toThrow('something else listens there');
  });
});
