import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { openScene, sharedBrowser } from '../../support/browser/browser.ts';
import { call } from '../../support/browser/open-page.ts';

interface Spy extends AsyncDisposable {
  readonly origin: string;
  /** What browsers brought. */
  readonly cookies: string[];
}

/** Another user's server on this machine. */
async function openSpy(own: string): Promise<Spy> {
  const cookies: string[] = [];
  const server = createServer(({ headers }, response) => {
    cookies.push(headers.cookie ?? '');
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': `${own}=x; Path=/` }).end('<p>spy');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cookies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function isLive(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Roots' }).waitFor();
}

describe.runIf(canRun('chromium'))(
  `the session of a browser${needs('chromium')}`,
  { timeout: 60_000 },
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await sharedBrowser();
    });

    test('no other server on this machine is sent what opens the page', async () => {
      await using scene = await openScene(browser);
      await using one = await openSpy('first_spy');
      await using other = await openSpy('second_spy');
      const page = await scene.newWindow();
      for (const { origin } of [one, other]) await page.goto(origin);
      // Ports do not tell cookies apart: what one of them sets, the other is sent.
      expect(other.cookies.join()).toContain('first_spy');
      expect([...one.cookies, ...other.cookies].join()).not.toContain('rootward');
      const kept = (await scene.context.cookies()).map(({ name }) => name);
      expect(kept.toSorted()).toEqual(['first_spy', `rootward_${scene.web.port}`, 'second_spy']);
    });

    test('a stolen cookie gets nothing that the page has not shown', async () => {
      await using scene = await openScene(browser);
      const cookies = await scene.context.cookies();
      const [{ name, value, path } = { name: '', value: '', path: '' }] = cookies;
      const headers = { cookie: `${name}=${value}` };
      const at = (look: string) => call(scene.web.port, `${path}api/${look}`, { headers });
      expect([(await at('session')).status, (await at('roots')).status]).toEqual([401, 401]);
      expect((await at('session')).text).not.toMatch(/[\w-]{43}/);
    });

    test('a file leads to the page, is gone then, and leaves nothing behind in the window', async () => {
      await using scene = await openScene(browser);
      const link = scene.web.link();
      const file = await scene.web.linkFile(link);
      expect(file).not.toContain(new URL(link).hash.slice(1));
      const page = await scene.newWindow();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
      await page.goto(file);
      await isLive(page);
      expect(existsSync(fileURLToPath(file))).toBe(false);
      const left = await page.evaluate<string>(
        '[document.referrer, name, location.href, document.title].join()',
      );
      const said = [left, ...asked.filter((each) => !each.startsWith('file:') && !each.startsWith(link))];
      expect(said.join()).not.toContain(new URL(link).hash.slice(1));
      expect(left.startsWith(',,http://127.0.0.1:')).toBe(true);
      expect(scene.complaints).toEqual([]);
    });

    test('a link that was used before says so, on the page and in the terminal', async () => {
      const told: string[] = [];
      await using scene = await openScene(browser, { report: (text) => told.push(text) });
      const link = scene.web.link();
      const file = fileURLToPath(await scene.web.linkFile(link));
      const copy = readFileSync(file, 'utf8');
      const { hash, pathname } = new URL(link);
      const body = { token: hash.slice(1) };
      const thief = { method: 'POST', body } as const;
      expect((await call(scene.web.port, `${pathname}api/session`, thief)).status).toBe(200);
      await expect.poll(() => existsSync(file)).toBe(false);
      scene.tree.add(`work/late.html = ${copy}`);
      // A browser that had read the file, and is late.
      const fresh = await browser.newContext();
      const page = await fresh.newPage();
      await page.goto(`file://${scene.tree.at('work/late.html')}`);
      await page.getByText('This link was used before').waitFor();
      await page.getByText('another user of this machine may have opened it').waitFor();
      await fresh.close();
      expect(told).toEqual([expect.stringContaining('a link was opened for the second time')]);
    });

    test('a reload goes on, and a window without a link says how to get one', async () => {
      await using scene = await openScene(browser);
      await scene.page.reload();
      await isLive(scene.page);
      const bare = await scene.newWindow();
      await bare.goto(scene.page.url());
      await bare.getByText('This window was not opened by a link').waitFor();
      await bare.getByText('press Enter in the terminal').waitFor();
      expect(await bare.getByRole('heading', { level: 1, name: 'Roots' }).count()).toBe(0);
    });

    test('a second link leaves the first window as it is, and opens one that was closed', async () => {
      await using scene = await openScene(browser);
      const { web, page } = scene;
      const second = await scene.newWindow();
      await second.goto(page.url());
      await second.getByText('This page is closed').waitFor();
      // In the window where the page is, only the fragment changes.
      await second.goto(web.link());
      await isLive(second);
      expect(new URL(second.url()).hash).toBe('');
      await page.reload();
      await isLive(page);
      expect(scene.complaints).toEqual([]);
    });
  },
);
