import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRootStore } from '../../../src/client/index.ts';
import { formatEntry } from '../../../src/audit/entry.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { attackScale } from '../../support/race/seed.ts';
import { tempTree } from '../../../src/testing/temp-tree.ts';
import { expectAccessible, openScene, sharedBrowser } from '../../support/browser/browser.ts';

/** What kept the page from answering for more than 50 ms since a moment: also what was not told yet. Milliseconds. */
function longTasks(page: Page, since: number): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>(`new Promise((resolve) => {
    const found = [];
    const observer = new PerformanceObserver((list) => found.push(...list.getEntries()));
    observer.observe({ type: 'longtask', buffered: true });
    // One that is just over is told a moment later.
    setTimeout(() => {
      const all = [...found, ...observer.takeRecords()].filter(({ startTime }) => startTime >= ${since});
      resolve(all.map(({ duration }) => Math.round(duration)));
    }, 100);
  })`);
}

async function scroll(page: Page): Promise<void> {
  await page.locator('.virtual').hover();
  for (let turn = 0; turn < 25; turn += 1) await page.mouse.wheel(0, 4_000);
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
}

/** Milliseconds: a page that does not answer for as long hangs. Only so many rows are drawn, which keeps it quick. */
const hangs = 10_000;

/** Acts on the page, and tells the longest time for which it did not answer. */
async function longestTask(page: Page, act: () => Promise<void>): Promise<number> {
  const start = await page.evaluate<number>('performance.now()');
  await act();
  return Math.max(0, ...(await longTasks(page, start)));
}

/** In `npm run attack` 10,000 roots and 100,000 decisions: the server looks at each of them, and the page at none. */
const manyRoots = attackScale > 1 ? 10_000 : 600;
const manyDecisions = attackScale > 1 ? 100_000 : 5_000;
const counted = (count: number): string => count.toLocaleString('en');

/** For a machine with much else to do. Milliseconds. */
const patience = 120_000;

describe.runIf(canRun('chromium'))(`much on the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test(
    `${counted(manyRoots)} roots scroll and are searched, and only what is seen is drawn`,
    { timeout: patience },
    async () => {
      using tree = tempTree();
      const roots = Array.from({ length: manyRoots }, (_, at) => ({
        path: tree.at(`p${at}`),
        name: `project ${at}`,
      }));
      for (const { path } of roots.slice(0, 20)) mkdirSync(path);
      const file = tree.at('roots.jsonc');
      writeFileSync(file, JSON.stringify({ version: 1, roots }));
      const last = `project ${manyRoots - 1}`;
      await using scene = await openScene(browser, { file });
      const { page } = scene;
      await page.getByText(`${counted(manyRoots)} roots`).waitFor();
      const longest = await longestTask(page, async () => {
        await scroll(page);
        expect(await page.locator('.root-row').count()).toBeLessThan(40);
        await page.getByLabel('Find a root').fill(last);
        await page.getByRole('button', { name: `${last}, details` }).waitFor();
        await page.getByLabel('Find a root').fill('');
      });
      expect(longest).toBeLessThan(hangs);
      await page.evaluate("document.querySelector('.virtual').scrollTop = 0");
      await page.getByRole('button', { name: 'project 0, details' }).focus();
      await page.keyboard.press('End');
      await page.getByRole('button', { name: `${last}, details` }).waitFor();
      await expectAccessible(page);
    },
  );

  test(
    `${counted(manyDecisions)} decisions scroll and are searched, and only what is seen is drawn`,
    { timeout: patience },
    async () => {
      using tree = tempTree(['log/']);
      const lines = Array.from({ length: manyDecisions }, (_, at) =>
        formatEntry({
          time: new Date(Date.UTC(2026, 0, 1) + at * 100).toISOString(),
          caller: `client ${at % 7}`,
          operation: 'read',
          path: `src/file-${at}.ts`,
          root: 'shop',
          verdict: at % 9 === 0 ? 'deny' : 'allow',
          rule: 'allow:read',
          outcome: 'done',
          duration: 1,
          revision: 1,
        }),
      );
      writeFileSync(tree.at('log/audit.jsonl'), `${lines.join('\n')}\n`);
      await using scene = await openScene(browser, { log: tree.at('log') });
      const { page } = scene;
      await page.getByRole('link', { name: 'Audit' }).click();
      await page.getByText(`${counted(manyDecisions)} entries`).waitFor({ timeout: patience / 2 });
      const longest = await longestTask(page, async () => {
        await scroll(page);
        await page.locator('.audit-row time').first().waitFor();
        expect(await page.locator('.audit-row').count()).toBeLessThan(60);
        await page.getByLabel('Search', { exact: true }).fill('file-4777.ts');
        await page.getByText('1 entry', { exact: true }).waitFor();
      });
      expect(longest).toBeLessThan(hangs);
    },
  );

  test('hostile names are text: no markup, nothing hidden, nothing turned around, nothing overflowing', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const turned = 'invoice\u202Egpj.exe';
    const endless = 'n'.repeat(200);
    using tree = tempTree([
      `work/${markup}/`,
      `work/${turned}/`,
      `work/${endless}/`,
      'work/zero\u200Bwidth/',
    ]);
    await using scene = await openScene(browser, { tops: [tree.at('work')] });
    const { page, options } = scene;
    await using store = await openRootStore({ file: options.file ?? '' });
    for (const name of [markup, endless]) await store.add(tree.at('work', name));
    for (const name of [turned, 'zero\u200Bwidth'])
      await store.add({ path: tree.at('work', name), name: `odd ${name.length}` });
    let alerted = false;
    page.on('dialog', (dialog) => {
      alerted = true;
      void dialog.dismiss();
    });
    await page.getByText(markup).first().waitFor();
    await page.getByText('U+202E').first().waitFor();
    await page.getByText('U+200B').first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('.root-row').allTextContents()).not.toContainEqual(
      expect.stringMatching(/[\u202E\u200B]/),
    );
    await page.getByRole('button', { name: 'Add a root' }).click();
    await page.getByRole('tab', { name: 'Browse' }).click();
    await page.locator('.folder').first().waitFor();
    await page.getByLabel('Path or file URI').fill(`/${'x'.repeat(10_000)}`);
    await page.locator('.findings .error').first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 780 });
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    expect([alerted, scene.complaints]).toEqual([false, []]);
  });
});
