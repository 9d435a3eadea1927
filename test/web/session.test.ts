import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canRun, needs } from '../system-programs.ts';
import { launch, openScene } from './browser.ts';
import { call } from './open-page.ts';

interface Spy extends AsyncDisposable {
  readonly origin: string;
  /** What browsers brought. */
  readonly cookies: string[];
}

/** Somebody else's server on this machine. */
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
      browser = await launch();
    });
    afterAll(() => browser.close());

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
