import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRootStore } from '../../../src/client/index.ts';
import { openOwnDirectory } from '../../../src/config/own-directory.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { findRunning } from '../../../src/web/processes/find-running.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import {
  expectAccessible,
  goTo,
  openScene,
  type Scene,
  sharedBrowser,
  takePicture,
} from '../../support/browser/browser.ts';
import { type StartedServer, startServer } from '../../support/browser/start-server.ts';
import { program } from '../../support/processes/program.ts';

const entries = ['work/shop/package.json = {"name":"shop"}', 'work/shop/a.txt', 'work/shop/.env = x'];

/** A server that asks before it writes. */
function startAsking({ tree }: Scene): Promise<StartedServer> {
  writeFileSync(tree.at('home/serve.jsonc'), '{ "policy": { "preset": "ask-before-write" } }');
  const args = [tree.at('work/shop'), '--config', tree.at('home/serve.jsonc')];
  return startServer({ home: tree.at('home'), args });
}

describe.runIf(canRun('chromium'))(`running servers on the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test('a client appears with what it declares, what it does, its project and why, and goes when it ends', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    await goTo(page, 'Connections');
    await page.getByText('No client is connected').waitFor();
    const server = await startServer({ home: tree.at('home'), args: [], roots: [tree.at('work/shop')] });
    await server.call('list_directory', { path: tree.at('work/shop') });
    const card = page.locator('.card').filter({ hasText: 'Editor' });
    await card.getByText('listed 1 root').waitFor();
    for (const text of ['3.1.0', 'stdio', 'roots, and their changes', 'shop', 'from roots']) {
      await card.getByText(text).first().waitFor();
    }
    await card.getByText('Why this project?').focus();
    await page.keyboard.press('Enter');
    await card.locator('.trail li.chosen').getByText('roots', { exact: true }).waitFor();
    await expectAccessible(page);
    await takePicture(page, 'connections-trail');
    process.kill(server.pid, 'SIGKILL');
    await page.getByText('No client is connected').waitFor();
    await server.close();
    expect(scene.complaints).toEqual([]);
  });

  test('a client without a project is told apart, with the remedy', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    await goTo(page, 'Connections');
    await using server = await startServer({ home: tree.at('home'), args: ['--merge', 'client'] });
    await server.call('why', {});
    const card = page.locator('.card');
    await card.getByText('no project', { exact: true }).waitFor();
    await card.getByText('Why no project?').waitFor();
    await card.locator('.remedy').waitFor();
    await expectAccessible(page);
  });

  test('a real server asks, waits for the answer, and goes by it as long as it says', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    await using server = await startAsking(scene);
    const write = (name: string): ReturnType<StartedServer['call']> =>
      server.call('write_file', { path: tree.at('work/shop', name), content: 'hello' });
    const first = write('first.txt');
    await page.getByRole('button', { name: /^Once/ }).click();
    expect((await first).refused).toBe(false);
    const second = write('second.txt');
    await page.getByRole('button', { name: /^This session/ }).click();
    expect((await second).refused).toBe(false);
    // No more question until it disconnects.
    expect((await write('third.txt')).refused).toBe(false);
    await using another = await startAsking(scene);
    const refused = another.call('write_file', { path: tree.at('work/shop/no.txt'), content: 'hello' });
    await page.getByRole('button', { name: /^Never/ }).click();
    expect((await refused).refused).toBe(true);
    expect(
      ['first', 'second', 'third', 'no'].map((name) => existsSync(tree.at('work/shop', `${name}.txt`))),
    ).toEqual([true, true, true, false]);
  });

  test('a page that is closed means no', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    await using server = await startAsking(scene);
    const write = (name: string): ReturnType<StartedServer['call']> =>
      server.call('write_file', { path: tree.at('work/shop', name), content: 'hello' });
    const asked = write('new.txt');
    await page.getByRole('button', { name: /^Once/ }).click();
    expect((await asked).refused).toBe(false);
    await page.close();
    await using state = await openOwnDirectory(scene.options.state);
    // On its way out a page may be hidden for a moment, and a hidden page is asked.
    const open = async (): Promise<number> =>
      (await findRunning(state)).reduce((sum, { pages = 0, hidden = 0 }) => sum + pages + hidden, 0);
    await expect.poll(open).toBe(0);
    expect((await write('other.txt')).refused).toBe(true);
    expect(existsSync(tree.at('work/shop/other.txt'))).toBe(false);
  });

  test(
    'a server that was killed comes back under the page, which goes on by itself',
    { timeout: 60_000 },
    async () => {
      using home = tempTree(['work/shop/', 'work/docs/']);
      const start = async (port: string): Promise<{ readonly link: string; kill(): Promise<void> }> => {
        const env = { PATH: process.env['PATH'] ?? '', HOME: home.path, ROOTWARD_HOME: home.at('home') };
        const child = spawn(
          process.execPath,
          [program, 'web', '--no-open', '--port', port, home.at('work')],
          {
            env,
          },
        );
        const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
        const kill = async (): Promise<void> => {
          child.kill('SIGKILL');
          await once(child, 'exit');
        };
        return { link: text.trim(), kill };
      };
      const first = await start('0');
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(first.link);
      await page.getByText('Live').waitFor();
      await first.kill();
      await page.getByRole('alert').getByText('This page lost its server').waitFor();
      await page.getByText('Not connected').waitFor();
      // With its limits and its port, so that it is the same again.
      expect(await page.getByRole('alert').textContent()).toContain(`--port ${new URL(first.link).port}`);
      expect(await page.getByRole('alert').textContent()).toContain(home.at('work'));
      expect(await page.getByRole('button', { name: 'Add a root' }).isDisabled()).toBe(true);
      await expectAccessible(page);
      await using store = await openRootStore({ file: home.at('home/roots.jsonc') });
      await store.add(home.at('work/shop'));
      const second = await start(new URL(first.link).port);
      await page.getByText('Live').waitFor({ timeout: 15_000 });
      await page.getByRole('button', { name: 'shop, details' }).waitFor();
      await page.getByRole('switch', { name: 'Write' }).click();
      await expect.poll(() => readFileSync(home.at('home/roots.jsonc'), 'utf8')).toContain('write');
      // A browser that never had a link stays out.
      await using others = await browser.newContext();
      const stranger = await others.newPage();
      await stranger.goto(new URL(first.link).origin);
      await stranger.getByText('This page is closed').waitFor();
      await expectAccessible(stranger);
      await second.kill();
    },
  );
});
