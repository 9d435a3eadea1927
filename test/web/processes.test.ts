import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRootStore } from '../../src/client/index.ts';
import { openOwnDirectory } from '../../src/config/open-own-directory.ts';
import { findRunning } from '../../src/web/find-running.ts';
import { canRun, needs } from '../system-programs.ts';
import { tempTree } from '../../src/testing/temp-tree.ts';
import { expectAccessible, launch, openScene, type Scene, takePicture } from './browser.ts';
import { type StartedServer, startServer } from './start-server.ts';

const program = fileURLToPath(new URL('../../.build/src/cli/main.js', import.meta.url));
const entries = ['work/shop/package.json = {"name":"shop"}', 'work/shop/a.txt', 'work/shop/.env = x'];

/** A server that asks before it writes. */
function startAsking({ tree }: Scene): Promise<StartedServer> {
  writeFileSync(tree.at('home/serve.jsonc'), '{ "policy": { "preset": "ask-before-write" } }');
  const args = [tree.at('work/shop'), '--config', tree.at('home/serve.jsonc')];
  return startServer({ home: tree.at('home'), args });
}

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

describe.runIf(canRun('chromium'))(`running servers on the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test('a client appears with what it declares, what it does, its project and why, and goes when it ends', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    await goTo(page, 'Connections');
    await page.getByText('Nobody is connected').waitFor();
    const server = await startServer({ home: tree.at('home'), args: [], roots: [tree.at('work/shop')] });
    await server.call('list_directory', { path: tree.at('work/shop') });
    const card = page.locator('.card').filter({ hasText: 'Editor' });
    await card.getByText('listed 1 root').waitFor();
    for (const text of ['3.1.0', 'stdio', 'roots, and their changes', 'shop', 'told by roots']) {
      await card.getByText(text).first().waitFor();
    }
    await card.getByText('Why this project?').click();
    await card.locator('.trail li.chosen').getByText('roots', { exact: true }).waitFor();
    await expectAccessible(page);
    await takePicture(page, 'connections');
    process.kill(server.pid, 'SIGKILL');
    await page.getByText('Nobody is connected').waitFor();
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

  test.each([
    ['once', 'mouse', false],
    ['session', 'keyboard', true],
    ['never', 'keyboard', true],
  ] as const)('a question is answered with %s by %s', async (answer, by, remembered) => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    await using server = await startAsking(scene);
    const write = (): ReturnType<StartedServer['call']> =>
      server.call('write_file', { path: tree.at('work/shop/new.txt'), content: 'hello' });
    const first = write();
    const dialog = page.getByRole('dialog', { name: 'A server asks you' });
    await dialog.waitFor();
    for (const text of ['Editor', 'new.txt', 'shop', 'is a no'])
      await dialog.getByText(text).first().waitFor();
    const names = { once: /^Once/, session: /^This session/, never: /^Never/ };
    if (by === 'mouse') {
      await expectAccessible(page);
      await takePicture(page, 'consent');
      await dialog.getByRole('button', { name: names[answer] }).click();
    } else await page.keyboard.press({ once: '1', session: '2', never: '4' }[answer]);
    expect((await first).refused).toBe(answer === 'never');
    expect(existsSync(tree.at('work/shop/new.txt'))).toBe(answer !== 'never');
    await dialog.waitFor({ state: 'detached' });
    const second = write();
    if (!remembered) {
      await dialog.waitFor();
      await page.keyboard.press('4');
    }
    expect((await second).refused).toBe(answer !== 'session');
  });

  test('always is kept as a permission of the root', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree, options } = scene;
    await using store = await openRootStore({ file: options.file ?? '' });
    await store.add(tree.at('work/shop'));
    await using server = await startAsking(scene);
    const written = server.call('write_file', { path: tree.at('work/shop/new.txt'), content: 'hello' });
    await page.getByRole('button', { name: /^Always/ }).click();
    expect((await written).refused).toBe(false);
    await expect.poll(() => readFileSync(options.file ?? '', 'utf8')).toContain('"write"');
  });

  test('a question can wait, and a page that is closed means no', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    await using server = await startAsking(scene);
    const written = server.call('write_file', { path: tree.at('work/shop/new.txt'), content: 'hello' });
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '1 question waiting' }).click();
    await page.getByRole('dialog').waitFor();
    await page.close();
    await using state = await openOwnDirectory(scene.options.state);
    await expect.poll(async () => (await findRunning(state)).map(({ pages }) => pages)).toContain(0);
    // Nobody is there for a second question: it is refused at once.
    const second = await server.call('write_file', {
      path: tree.at('work/shop/other.txt'),
      content: 'hello',
    });
    expect(second.refused).toBe(true);
    await server.close();
    await expect(written).rejects.toThrow();
    expect(existsSync(tree.at('work/shop/new.txt'))).toBe(false);
  });

  test('a server that was killed comes back under the page, which goes on by itself', async () => {
    using home = tempTree(['work/shop/', 'work/docs/']);
    const start = async (port: string): Promise<{ readonly link: string; kill(): Promise<void> }> => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: home.path, ROOTWARD_HOME: home.at('home') };
      const child = spawn(process.execPath, [program, 'web', '--no-open', '--port', port, home.at('work')], {
        env,
      });
      const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const kill = async (): Promise<void> => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      };
      return { link: text.trim(), kill };
    };
    const first = await start('0');
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(first.link);
    await page.getByText('Live').waitFor();
    await first.kill();
    await page.getByRole('alert').getByText('The server has ended').waitFor();
    await page.getByText('Not connected').waitFor();
    await expectAccessible(page);
    await using store = await openRootStore({ file: home.at('home/roots.jsonc') });
    await store.add(home.at('work/shop'));
    const second = await start(new URL(first.link).port);
    await page.getByText('Live').waitFor({ timeout: 15_000 });
    await page.getByRole('button', { name: 'shop, details' }).waitFor();
    await page.getByRole('switch', { name: 'Write' }).click();
    await expect.poll(() => readFileSync(home.at('home/roots.jsonc'), 'utf8')).toContain('write');
    // A browser that never had a link stays out.
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(new URL(first.link).origin);
    await stranger.getByText('This page is closed').waitFor();
    await expectAccessible(stranger);
    await second.kill();
    await context.close();
  });
});
