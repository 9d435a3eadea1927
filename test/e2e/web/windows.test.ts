import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRootStore } from '../../../src/client/index.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { announceServer, connectionOf, questionIn } from '../../support/browser/announced-server.ts';
import {
  expectAccessible,
  goTo,
  openScene,
  type Scene,
  sharedBrowser,
} from '../../support/browser/browser.ts';

const entries = ['work/shop/package.json = {"name":"shop"}', 'work/docs/', 'work/tool/'];

async function add({ options, tree }: Scene, ...names: readonly string[]): Promise<void> {
  await using store = await openRootStore({ file: options.file ?? '' });
  for (const name of names) await store.add(tree.at('work', name));
}

/** Whether a click in the middle of it would reach it. */
function isReachable(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (element === null) return false;
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  })()`);
}

describe.runIf(canRun('chromium'))(`windows of the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test('seven windows at once are all live, also after the one that listens is closed', async () => {
    await using scene = await openScene(browser, { entries });
    const windows = [scene.page];
    while (windows.length < 7) {
      const page = await scene.newWindow();
      await page.goto(scene.web.link());
      await page.getByText('Live').waitFor();
      windows.push(page);
    }
    await add(scene, 'shop');
    await Promise.all(windows.map((page) => page.getByRole('button', { name: 'shop, details' }).waitFor()));
    await windows[0]?.close();
    await add(scene, 'docs');
    const rest = windows.slice(1);
    await Promise.all(rest.map((page) => page.getByRole('button', { name: 'docs, details' }).waitFor()));
    await rest[5]?.getByRole('switch', { name: 'Write' }).first().click();
    await rest[0]?.locator('.root-row').first().locator('[aria-checked=true]').nth(2).waitFor();
    expect(scene.complaints).toEqual([]);
  });

  test('a new link opens a page that was closed, in the same tab', async () => {
    await using scene = await openScene(browser, { entries });
    const other = await (await browser.newContext()).newPage();
    const used = new URL(scene.web.link());
    await other.goto(used.href.replace(used.hash, ''));
    await other.getByText('This page is closed').waitFor();
    await expectAccessible(other);
    await other.evaluate(`location.href = ${JSON.stringify(scene.web.link())}`);
    await other.getByText('Live').waitFor();
    await other.getByRole('heading', { level: 1, name: 'Roots' }).waitFor();
    expect(other.url()).not.toMatch(/[\w-]{43}$/);
    await other.context().close();
  });

  test('messages can be seen and clicked above a dialog', async () => {
    await using scene = await openScene(browser, { entries });
    const { page } = scene;
    await add(scene, 'shop');
    await page.getByRole('button', { name: 'shop, details' }).click();
    await page.getByLabel('New restriction').fill('[');
    await page.keyboard.press('Enter');
    await page.locator('.toast.bad').waitFor();
    expect(await isReachable(page, '.toast.bad')).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.locator('.toast').waitFor({ state: 'detached' });
    // A question above that one: the message is in it, whatever is below.
    await page.keyboard.press('Enter');
    await page.getByLabel('New restriction').press('Enter');
    await page.locator('.toast.bad').waitFor();
    await using server = await announceServer(scene);
    void server.ask(questionIn(scene), AbortSignal.timeout(20_000));
    await page.getByRole('dialog', { name: 'A client asks you' }).waitFor();
    await expect.poll(() => isReachable(page, '.toast.bad')).toBe(true);
    expect(await page.locator('.toast').count()).toBe(1);
  });

  test('what cannot be shown says so in its own place, and comes back by itself', async () => {
    await using scene = await openScene(browser, { entries });
    const { page } = scene;
    await using server = await announceServer(scene);
    await page.route('**/api/running', async (route) => {
      const real = (await (await route.fetch()).json()) as readonly object[];
      const broken = { id: 'x', pid: 1, command: 'serve', version: '1', questions: [] };
      await route.fulfill({ json: [broken, ...real] });
    });
    server.update({ connections: [connectionOf({ client: 'Second' })] });
    await goTo(page, 'Connections');
    await page.getByRole('alert').getByText('A process cannot be shown').waitFor();
    await page.locator('.card').filter({ hasText: 'Second' }).waitFor();
    await expectAccessible(page);
    await goTo(page, 'Roots');
    await goTo(page, 'Connections');
    await page.unroute('**/api/running');
    server.update({ connections: [connectionOf({ client: 'Third' })] });
    await page.locator('.card').filter({ hasText: 'Third' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
