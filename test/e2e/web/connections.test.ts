import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { announceServer, connectionOf } from '../../support/browser/announced-server.ts';
import {
  expectAccessible,
  goTo,
  openScene,
  overflowOf,
  sharedBrowser,
  takePicture,
} from '../../support/browser/browser.ts';
import { program } from '../../support/processes/program.ts';

const token = 't'.repeat(43);

/** `rootward web --serve`, as `npm start` runs it. */
async function startWithServer(tree: TempTree): Promise<{ readonly link: string; end(): Promise<void> }> {
  mkdirSync(tree.at('home'), { recursive: true });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: tree.path,
    ROOTWARD_HOME: tree.at('home'),
    ROOTWARD_TOKEN: token,
  };
  const args = [program, 'web', '--no-open', '--serve', '--port', '0', tree.at('work')];
  const child = spawn(process.execPath, args, { env, cwd: tree.path });
  const [link] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { link: link.trim(), end };
}

interface Settings {
  readonly mcpServers: {
    readonly rootward: { readonly url: string; readonly headers: Record<string, string> };
  };
}

describe.runIf(canRun('chromium'))(`clients on the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test(
    'clients over HTTP connect with what the page shows, in both revisions, and go',
    { timeout: 60_000 },
    async () => {
      using tree = tempTree(['work/shop/package.json = {"name":"shop"}']);
      const started = await startWithServer(tree);
      const context = await browser.newContext();
      context.setDefaultTimeout(15_000);
      const page = await context.newPage();
      await page.goto(started.link);
      await goTo(page, 'Connections');
      await page.getByText('No client has connected yet').waitFor();
      await page.getByRole('button', { name: 'Show the settings' }).focus();
      await page.keyboard.press('Enter');
      const shown = page.getByRole('group', { name: 'Settings of a client' });
      await shown.waitFor();
      await expectAccessible(page);
      const { url, headers: told } = (JSON.parse((await shown.textContent()) ?? '') as Settings).mcpServers
        .rootward;
      // The page says where the token is, and does not have it.
      await page.getByText('in the variable ROOTWARD_TOKEN').waitFor();
      expect(await page.content()).not.toContain(token);
      expect(told).toEqual({ Authorization: 'Bearer TOKEN' });
      const headers = { Authorization: `Bearer ${token}` };
      await page.getByRole('button', { name: 'Hide them' }).click();
      for (const [name, negotiation, revision] of [
        ['Older', {}, '2025-11-25'],
        ['Newer', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
      ] as const) {
        const client = new Client({ name, version: '2' }, negotiation);
        const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
        await client.connect(transport);
        await client.callTool({ name: 'why', arguments: {} });
        const card = page.locator('.card').filter({ hasText: name });
        for (const text of ['HTTP', revision, 'no support for roots'])
          await card.getByText(text).first().waitFor();
        if (name === 'Older') {
          await transport.terminateSession();
          await card.waitFor({ state: 'detached' });
        }
        await client.close();
      }
      await takePicture(page, 'connections-serve-light-1180');
      await context.close();
      await started.end();
    },
  );

  test('how long ago it was goes on by itself', async () => {
    await using scene = await openScene(browser);
    await using server = await announceServer(scene);
    // A clock is one of a whole context.
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(scene.web.link());
    await goTo(page, 'Connections');
    await page
      .locator('.card')
      .getByText(/now|\d s ago/)
      .waitFor();
    await page.clock.fastForward(3 * 60_000);
    await page.locator('.card').getByText('3 min ago').waitFor();
    expect(server.id).toContain('serve');
  });

  test('a hostile client stays in its card, wide and narrow', async () => {
    await using scene = await openScene(browser);
    const { page } = scene;
    const name = `<img src=x onerror=alert(1)>\u202E${'N'.repeat(10_000)}`;
    const trail = [{ source: 'roots', outcome: 'refused', offered: [name], reason: name }] as never;
    await using server = await announceServer(scene, [
      connectionOf({ client: name, version: name, roots: [name], places: ['/x'], why: name, trail }),
      connectionOf({ id: '2', client: 'Editor', project: { name, location: name } }),
    ]);
    await goTo(page, 'Connections');
    const card = page.locator('.card').first();
    await card.getByText('U+202E').first().waitFor();
    await card.getByText('Why no project?').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    for (const width of [1180, 390]) {
      await page.setViewportSize({ width, height: 780 });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      const { height } = (await card.boundingBox()) ?? { height: 0 };
      expect(height).toBeLessThan(width === 390 ? 1_400 : 700);
    }
    await expectAccessible(page);
    expect([server.id.startsWith('serve'), scene.complaints]).toEqual([true, []]);
  });
});
