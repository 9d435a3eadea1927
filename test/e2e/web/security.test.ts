import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendPlain, twoMeanings } from '../../support/http/two-meanings.ts';
import { call, openOwnWeb, type OwnWeb, prefixOf, signIn } from '../../support/browser/open-page.ts';

let own: OwnWeb;
let port: number;
let prefix: string;
beforeAll(async () => {
  own = await openOwnWeb({ entries: ['work/app/'] });
  port = own.web.port;
  prefix = prefixOf(own.web);
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
    const { headers } = await signIn(own.web);
    const body = { path: own.tree.at('work/app'), operation: 'read' };
    const attempt = async (given: Readonly<Record<string, string>>): Promise<number> =>
      (await call(port, `${prefix}/api/try`, { method: 'POST', body, headers: given })).status;
    expect(await attempt({ ...headers, origin })).toBe(403);
    expect(await attempt(headers)).toBe(200);
  });

  test.each(['cross-site', 'same-site'])('refuses a request that a browser calls %s', async (site) => {
    expect((await call(port, '/', { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    // A window of its own may come from the file with the link: it gets the page, and nothing else.
    const from = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' };
    const { headers } = await signIn(own.web);
    const into = (path: string, dest: string): Promise<number> =>
      call(port, `${prefix}${path}`, { headers: { ...headers, ...from, 'sec-fetch-dest': dest } }).then(
        ({ status }) => status,
      );
    expect(await into('/', 'document')).toBe(200);
    for (const path of ['/api/roots', '/api/events', '/api/audit/export', '/?x', '//'])
      expect([path, await into(path, 'document')]).toEqual([path, 403]);
    for (const dest of ['iframe', 'frame', 'embed', 'object', 'empty', 'script'])
      expect([dest, await into('/', dest)]).toEqual([dest, 403]);
    expect((await call(port, '/', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  test('answers no preflight, and sends no CORS header', async () => {
    const { status, headers } = await call(port, `${prefix}/api/roots`, { method: 'OPTIONS' });
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the link', () => {
  test('carries its secret in the fragment, which no server is sent', () => {
    const { hash, search } = new URL(own.web.link());
    expect(hash.length).toBeGreaterThan(42);
    expect(search).toBe('');
  });

  test('works once', async () => {
    const token = new URL(own.web.link()).hash.slice(1);
    const first = await call(port, `${prefix}/api/session`, { method: 'POST', body: { token } });
    const again = await call(port, `${prefix}/api/session`, { method: 'POST', body: { token } });
    expect([first.status, again.status]).toEqual([200, 401]);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.text).toContain('Press Enter in the terminal');
  });

  test('works below its own path alone', async () => {
    const token = new URL(own.web.link()).hash.slice(1);
    const send = async (at: string): Promise<number> =>
      (await call(port, `${at}/api/session`, { method: 'POST', body: { token } })).status;
    expect([await send(''), await send(`/${'x'.repeat(43)}`), await send(prefix)]).toEqual([401, 401, 200]);
  });

  test('becomes a cookie that no script reads, no other site sends, and no other server on this machine gets', async () => {
    const token = new URL(own.web.link()).hash.slice(1);
    const { headers } = await call(port, `${prefix}/api/session`, { method: 'POST', body: { token } });
    const [, path] =
      /^rootward_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=(\/[\w-]{43})\/$/.exec(
        headers['set-cookie']?.[0] ?? '',
      ) ?? [];
    expect(path).toBe(prefix);
    await using other = await openOwnWeb();
    expect(prefixOf(other.web)).not.toBe(prefix);
  });
});

const looks = ['/api/roots', '/api/running', '/api/audit', '/api/session', '/api/browse'];
const streams = ['/api/audit/export', '/api/events'];

describe('the API', () => {
  test.each([...looks, ...streams])('does not show %s without a session', async (path) => {
    expect((await call(port, `${prefix}${path}`)).status).toBe(401);
    const cookie = `rootward_${port}=${'x'.repeat(43)}`;
    expect((await call(port, `${prefix}${path}`, { headers: { cookie } })).status).toBe(401);
  });

  test.each([...looks, ...streams])('does not show %s without its path', async (path) => {
    const { headers } = await signIn(own.web);
    for (const at of ['', `/${'x'.repeat(43)}`, `${prefix}${prefix}`])
      expect([401, 404]).toContain((await call(port, `${at}${path}`, { headers })).status);
  });

  test.each(looks)('does not show %s for the cookie alone, and gives no proof for it', async (path) => {
    const { cookie, headers } = await signIn(own.web);
    const alone = await call(port, `${prefix}${path}`, { headers: { cookie } });
    expect([alone.status, alone.text]).toEqual([401, expect.stringContaining('no-proof')]);
    expect((await call(port, `${prefix}${path}`, { headers })).status).toBe(200);
  });

  test('changes nothing without the header of the page', async () => {
    const { cookie, proof, get: look, post } = await signIn(own.web);
    const body = { path: own.tree.at('work/app') };
    for (const headers of [
      { cookie },
      { cookie, 'x-rootward-proof': `${proof}x` },
      { 'x-rootward-proof': proof },
    ]) {
      const { status } = await call(port, `${prefix}/api/roots/add`, { method: 'POST', body, headers });
      expect(status).toBe(401);
    }
    expect(await look('/api/roots')).toMatchObject({ roots: [] });
    expect((await post('/api/roots/add', body)).status).toBe(200);
    expect(await look('/api/roots')).toMatchObject({ roots: [{ name: 'app' }] });
    await post('/api/roots/remove', { root: 'app' });
  });

  test('the proof of one browser is none for another, and two windows of one have one each', async () => {
    const [one, other] = [await signIn(own.web), await signIn(own.web)];
    const look = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await call(port, `${prefix}/api/roots`, { headers })).status;
    expect(await look({ cookie: one.cookie, 'x-rootward-proof': other.proof })).toBe(401);
    const second = await signIn(own.web, { cookie: one.cookie });
    expect(second.proof).not.toBe(one.proof);
    expect([await look(one.headers), await look(second.headers)]).toEqual([200, 200]);
  });

  test('a GET changes nothing, and a form cannot speak JSON', async () => {
    const { headers } = await signIn(own.web);
    expect((await call(port, `${prefix}/api/roots/add?path=/`, { headers })).status).toBe(404);
    const form = { ...headers, 'content-type': 'text/plain' };
    const posted = await call(port, `${prefix}/api/roots/add`, { method: 'POST', body: {}, headers: form });
    expect(posted.status).toBe(415);
    expect((await call(port, `${prefix}/api/roots`, { method: 'DELETE', headers })).status).toBe(405);
  });

  test('a body that is too large or of another kind is refused', async () => {
    const { post } = await signIn(own.web);
    expect((await post('/api/roots/add', { path: 'x'.repeat(300_000) })).status).toBe(400);
    expect((await post('/api/roots/add', { path: 7 })).status).toBe(400);
    expect((await post('/api/roots/add', { path: '/x', surprise: 1 })).status).toBe(400);
    expect((await post('/api/constructor', {})).status).toBe(404);
  });

  test('nothing outside of what the operator allows is listed or added', async () => {
    const { headers, post } = await signIn(own.web);
    const outside = own.tree.at('home');
    own.tree.add('work/way => ../home');
    for (const path of [outside, own.tree.at('work/../home'), own.tree.at('work/way'), '/', '/etc']) {
      const { status, text } = await call(port, `${prefix}/api/browse?path=${encodeURIComponent(path)}`, {
        headers,
      });
      expect(status).toBe(409);
      expect(text).not.toContain('roots.jsonc');
      expect((await post('/api/roots/add', { path })).status).toBe(409);
    }
    const inside = `${prefix}/api/browse?path=${encodeURIComponent(own.tree.at('work'))}`;
    expect((await call(port, inside, { headers })).text).toContain('"app"');
  });
});

describe('a request that two readers could take for two different ones', () => {
  test('is answered with 400, also with all the secrets of a window', async () => {
    const { headers } = await signIn(own.web);
    const json = { 'Content-Type': 'application/json', Cookie: headers.cookie };
    const secrets = { ...json, 'X-Rootward-Proof': headers['x-rootward-proof'] };
    const request = { method: 'POST', path: `${prefix}/api/try`, headers: secrets } as const;
    // Nothing else is wrong with it: the body is too little, and that is all that is said.
    expect(await sendPlain(port, request)).toMatch(/^HTTP\/1\.1 400 .*bad-input/s);
    for (const each of twoMeanings) {
      const answer = await sendPlain(port, request, each);
      expect([each.what, answer.split(' ')[1]]).toEqual([each.what, String(each.status)]);
      expect([each.what, answer]).not.toEqual([each.what, expect.stringContaining('bad-input')]);
    }
  });
});

describe('what is sent', () => {
  test('says what the page may do, on every answer', async () => {
    for (const path of ['/', `${prefix}/`, '/nowhere', `${prefix}/api/roots`]) {
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

  test('includes no file but those of the page', async () => {
    for (const path of [
      '/../home/roots.jsonc',
      '/%2e%2e/home/roots.jsonc',
      '/index.html.map',
      '//etc/passwd',
    ]) {
      expect((await call(port, path)).status).toBe(404);
      expect((await call(port, `${prefix}${path}`)).status).toBe(404);
    }
  });
});

describe('the server', () => {
  test('ends when no page is open, and not while one is', async () => {
    await using watched = await openOwnWeb({ idleMs: 100 });
    const { cookie } = await signIn(watched.web);
    const headers = { cookie, host: `127.0.0.1:${watched.web.port}` };
    const path = `${prefixOf(watched.web)}/api/events`;
    const stream = get({ host: '127.0.0.1', port: watched.web.port, path, headers }).on('error', () => {});
    await once(stream, 'response');
    const ends: string[] = [];
    void watched.web.ended.then(() => ends.push('watched'));
    // Begun later, with more time, and over sooner.
    await using alone = await openOwnWeb({ idleMs: 300 });
    expect(await alone.web.ended).toBe('idle');
    expect([alone.web.pages, watched.web.pages, ends]).toEqual([0, 1, []]);
    stream.destroy();
    expect(await watched.web.ended).toBe('idle');
  });

  test('knows a page again after a restart on the same port, and a thief of its file not', async () => {
    await using first = await openOwnWeb();
    const { cookie, headers } = await signIn(first.web);
    const at = prefixOf(first.web);
    const stream = get({
      host: '127.0.0.1',
      port: first.web.port,
      path: `${at}/api/events`,
      headers: { cookie, host: `127.0.0.1:${first.web.port}` },
    }).on('error', () => {});
    await once(stream, 'response');
    await first.web.close();
    const file = first.tree.at(`home/state/port-${first.web.port}.sessions`);
    const stolen = JSON.parse(readFileSync(file, 'utf8')) as Stolen;
    await using second = await openOwnWeb({ ...first.options, port: first.web.port });
    const look = async (given: Readonly<Record<string, string>>): Promise<number> =>
      (await call(second.web.port, `${at}/api/roots`, { headers: given })).status;
    expect(await look(headers)).toBe(200);
    const [name] = cookie.split('=');
    const words = [stolen.prefix, ...stolen.sessions.flat(2)];
    expect(words.length).toBeGreaterThan(2);
    for (const word of words) {
      for (const proof of words)
        expect(await look({ cookie: `${name}=${word}`, 'x-rootward-proof': proof })).toBe(401);
    }
  });

  test('leaves nothing behind when no window is open that could come back', async () => {
    await using web = await openOwnWeb();
    await signIn(web.web);
    const file = web.tree.at(`home/state/port-${web.web.port}.sessions`);
    await expect.poll(() => existsSync(file)).toBe(true);
    await web.web.close();
    expect(existsSync(file)).toBe(false);
  });

  test('says who has the port already', async () => {
    await expect(openOwnWeb({ port })).rejects.toThrow('something else listens there');
  });
});

/** What the file of a server holds. */
interface Stolen {
  readonly prefix: string;
  readonly sessions: readonly (readonly [string, readonly string[]])[];
}
