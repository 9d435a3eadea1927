import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRootStore } from '../../../src/client/index.ts';
import { openOwnDirectory } from '../../../src/config/own-directory.ts';
import { findRunning } from '../../../src/web/processes/find-running.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { openScene, type Scene, sharedBrowser } from '../../support/browser/browser.ts';
import { type StartedServer, startServer } from '../../support/browser/start-server.ts';

const entries = ['work/shop/package.json = {"name":"shop"}'];

/** A server that follows what is kept, where a person is asked before it writes. */
async function startFollowing({ tree, options }: Scene): Promise<StartedServer> {
  await using store = await openRootStore({ file: options.file ?? '' });
  await store.add(tree.at('work/shop'));
  await store.ask('shop', { operations: ['write'] });
  return await startServer({ home: tree.at('home'), args: [] });
}

describe.runIf(canRun('chromium'))(`a server that asks${needs('chromium')}`, { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test('always is kept for the server that asked, and it asks no more', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree, options } = scene;
    await using server = await startFollowing(scene);
    const write = (name: string): ReturnType<StartedServer['call']> =>
      server.call('write_file', { path: tree.at(`work/shop/${name}`), content: 'hello' });
    const written = write('new.txt');
    const always = page.getByRole('button', { name: /^Always/ });
    await always.getByText('for every client of the server "rootward"').waitFor();
    await always.click();
    expect((await written).refused).toBe(false);
    expect((await write('other.txt')).refused).toBe(false);
    await using store = await openRootStore({ file: options.file ?? '' });
    const { permissions, servers } = store.get('shop') ?? {};
    expect(servers).toMatchObject({ rootward: { allow: ['read', 'list', 'write'] } });
    // Others are asked as before.
    expect(permissions?.ask).toEqual(['write']);
    // It holds because it is kept: what is taken back there is asked about again.
    await store.ask('shop', { operations: ['write'], server: 'rootward' });
    const again = write('third.txt');
    await page.getByRole('button', { name: /^Never/ }).click();
    expect((await again).refused).toBe(true);
    expect(existsSync(tree.at('work/shop/third.txt'))).toBe(false);
  });

  test('a client that cannot ask its person is told of switch_project, and the page asks for it', async () => {
    await using scene = await openScene(browser, { entries: ['work/shop/a.txt = inside', 'work/other/'] });
    const { page, tree, options } = scene;
    await using server = await startServer({ home: tree.at('home'), args: [] });
    await using state = await openOwnDirectory(options.state);
    const told = async () => (await findRunning(state)).map(({ command, pages }) => `${command} ${pages}`);
    await expect
      .poll(told, { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['web 1', 'serve undefined']));
    const read = () => server.call('read_text_file', { path: tree.at('work/shop/a.txt') });
    const advice = 'or call switch_project with the absolute path, which asks the person';
    await expect
      .poll(read, { timeout: 20_000 })
      .toEqual({ refused: true, text: expect.stringContaining(advice) });
    const switched = server.call('switch_project', { project: tree.at('work/shop') });
    await page.getByRole('dialog').getByText('it may then: read, list').waitFor();
    await page.getByRole('button', { name: /^This session/ }).click();
    expect((await switched).refused).toBe(false);
    expect(await read()).toEqual({ refused: false, text: 'inside' });
    const another = server.call('switch_project', { project: tree.at('work/other') });
    await page.getByRole('button', { name: /^Never/ }).click();
    expect((await another).refused).toBe(true);
    expect(await read()).toEqual({ refused: false, text: 'inside' });
  });

  test('a question outlives the page that showed it, and is not asked on a closed page', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree, web } = scene;
    await using server = await startFollowing(scene);
    const write = (name: string): ReturnType<StartedServer['call']> =>
      server.call('write_file', { path: tree.at(`work/shop/${name}`), content: 'hello' });
    const first = write('new.txt');
    await page.getByRole('dialog').waitFor();
    await page.close();
    await using state = await openOwnDirectory(scene.options.state);
    const open = async (): Promise<number> =>
      (await findRunning(state)).reduce((sum, { pages = 0, hidden = 0 }) => sum + pages + hidden, 0);
    await expect.poll(open).toBe(0);
    // No page is open for a second question: it is refused at once.
    expect((await write('other.txt')).refused).toBe(true);
    const next = await scene.newWindow();
    await next.goto(web.link());
    await next.getByRole('dialog').getByText('new.txt').first().waitFor();
    await next.getByRole('button', { name: /^Never/ }).click();
    expect((await first).refused).toBe(true);
    expect(existsSync(tree.at('work/shop/new.txt'))).toBe(false);
  });
});
