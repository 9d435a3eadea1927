import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { openWeb } from './open-web.ts';
import { proofHeader } from './serve-page.ts';

// Access control is tested over real sockets in test/e2e/web/security.test.ts.
test('the proof is sent in a header that no form can send', () => {
  expect(proofHeader).toMatch(/^x-/);
});

test('a window of an earlier server gets the page, but not the API', async () => {
  using tree = tempTree(['page/index.html = <p>closed</p>', 'page/a.js = 1']);
  await using web = await openWeb({
    file: tree.at('roots.jsonc'),
    log: tree.at('log'),
    state: tree.at('state'),
    tops: [],
    version: '1',
    page: tree.at('page'),
  });
  const origin = `http://127.0.0.1:${web.port}`;
  const get = async (path: string): Promise<number> => (await fetch(`${origin}${path}`)).status;
  const earlier = `/${'e'.repeat(43)}`;
  const own = new URL(web.link()).pathname.slice(0, -1);
  for (const at of ['', earlier, own]) {
    expect([await get(`${at}/`), await get(`${at}/a.js`), await get(`${at}/b.js`)]).toEqual([200, 200, 404]);
    expect(await get(`${at}/api/roots`)).toBe(401);
  }
  expect(await get('/short/')).toBe(404);
  const { hash } = new URL(web.link());
  const body = JSON.stringify({ token: hash.slice(1) });
  const enter = async (at: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${origin}${at}/api/session`, { method: 'POST', body, headers })).status;
  };
  expect([await enter(earlier), await enter(own)]).toEqual([401, 200]);
});
