import { test, expect, beforeAll, afterAll } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, openScene } from './browser.ts';
import { mkdirSync } from 'node:fs';
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
const out = '/tmp/shots/';
mkdirSync(out, { recursive: true });
test('shots', async () => {
  await using scene = await openScene(browser, {
    entries: [
      'work/shop/package.json = {"name":"shop"}',
      'work/shop/src/a.ts',
      'work/shop/.env = x',
      'work/docs/readme.md',
      'work/tool/Cargo.toml = [package]\nname="tool"',
      'work/.hidden/x',
      'work/gone/x',
    ],
  });
  const { page, tree, web } = scene;
  await page.screenshot({ path: out + 'empty.png' });
  await page.getByRole('button', { name: 'Add a root' }).first().click();
  await page.getByText('Nothing was').or(page.locator('.pick').first()).waitFor();
  await page.screenshot({ path: out + 'add.png' });
  await page.getByRole('tab', { name: 'Browse' }).click();
  await page.locator('.folder').first().waitFor();
  await page.locator('.folder .pick').first().click();
  await page.locator('.fine').waitFor();
  await page.screenshot({ path: out + 'browse.png' });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  for (const p of ['shop', 'tool', 'gone']) {
    await page.getByRole('button', { name: 'Add a root' }).click();
    await page.getByLabel('Path or file URI').fill(tree.at('work', p));
    await page.locator('.fine').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  const { rmSync } = await import('node:fs');
  rmSync(tree.at('work/gone'), { recursive: true });
  await page.getByText('missing').waitFor();
  await page.getByRole('switch', { name: 'Write' }).nth(1).click();
  await page.screenshot({ path: out + 'roots.png' });
  await page.getByRole('button', { name: 'shop, details' }).click();
  await page.getByLabel('New restriction').fill('dist/**');
  await page.keyboard.press('Enter');
  await page.locator('.dialog .chip.deny').waitFor();
  await page.getByLabel('Name of a server').fill('search');
  await page.keyboard.press('Enter');
  await page.screenshot({ path: out + 'detail.png' });
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByLabel('Path or file URI').fill(tree.at('work/shop/.env'));
  await page.getByText('Refused').waitFor();
  await page.screenshot({ path: out + 'try.png' });
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.screenshot({ path: out + 'conn.png' });
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.locator('.audit-row').first().waitFor();
  await page.screenshot({ path: out + 'audit.png' });
  await page.setViewportSize({ width: 390, height: 780 });
  await page.screenshot({ path: out + 'audit-n.png' });
  await page.getByRole('link', { name: 'Roots' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(200);
  await page.screenshot({ path: out + 'roots-n.png' });
  await page.setViewportSize({ width: 1180, height: 800 });
  await page.waitForTimeout(200);
  await page.screenshot({ path: out + 'roots-d.png' });
  expect(scene.complaints).toEqual([]);
  expect(web.pages).toBe(1);
}, 60000);
