import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRootStore } from '../../../src/client/index.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { announceServer, questionIn } from '../../support/browser/announced-server.ts';
import {
  expectAccessible,
  focused,
  goTo,
  openScene,
  overflowOf,
  type Scene,
  sharedBrowser,
  takePicture,
} from '../../support/browser/browser.ts';

const entries = ['work/shop/src/cart.ts', 'work/shop/package.json = {"name":"shop"}'];

/** Longer than any of these takes. */
function soon(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

function asking(page: Page): Locator {
  return page.getByRole('dialog', { name: 'A client asks you' });
}

async function sceneWithRoot(browser: Browser): Promise<Scene> {
  const scene = await openScene(browser, { entries });
  await using store = await openRootStore({ file: scene.options.file ?? '' });
  await store.add(scene.tree.at('work/shop'));
  await scene.page.locator('.root-row').waitFor();
  return scene;
}

const names = { once: /^Once/, session: /^This session/, always: /^Always/, never: /^Never/ } as const;
const answers = ['once', 'session', 'always', 'never'] as const;
/** Each answer by its number and once otherwise: a question can be answered after a second only. */
const ways = { mouse: ['once', 'always'], enter: ['session', 'never'], number: answers } as const;

/** With the mouse, with Tab and Enter, or with Tab and a number. */
async function press(page: Page, answer: (typeof answers)[number], by: string): Promise<void> {
  const button = asking(page).getByRole('button', { name: names[answer] });
  const place = answers.indexOf(answer);
  if (by === 'mouse') {
    await button.click();
    return;
  }
  await expect.poll(() => button.isEnabled()).toBe(true);
  for (let count = by === 'number' ? place : 0; count <= place; count += 1) await page.keyboard.press('Tab');
  await page.keyboard.press(by === 'number' ? String(place + 1) : 'Enter');
}

describe.runIf(canRun('chromium'))(`questions on the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test('a question says who asks, for what, where, through whom, and what each answer covers', async () => {
    await using scene = await sceneWithRoot(browser);
    const { page, tree } = scene;
    await using server = await announceServer(scene);
    const stop = new AbortController();
    const reply = server.ask(questionIn(scene), stop.signal);
    const dialog = asking(page);
    for (const text of [
      'Editor wants to write',
      tree.at('work/shop/src/cart.ts'),
      `shop ${tree.at('work/shop')}`,
      `rootward serve, process ${process.pid}, over stdio`,
      'asks a person before',
      'this write only',
      'every write in "shop", until "Editor" disconnects',
      'every write in "shop", for every client of the server "files", until you change it',
      'Refused automatically in',
    ]) {
      await dialog.getByText(text).first().waitFor();
    }
    expect(await page.title()).toBe('(1) Roots · Rootward');
    await expect.poll(() => dialog.getByRole('button', { name: names.once }).isEnabled()).toBe(true);
    await expectAccessible(page);
    await takePicture(page, 'consent-light-1180');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 780 });
    await expectAccessible(page);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await takePicture(page, 'consent-dark-390');
    stop.abort();
    expect(await reply).toBeUndefined();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('Roots · Rootward');
    expect(scene.complaints).toEqual([]);
  });

  test('each answer arrives, by mouse, by Tab and Enter, and by number', { timeout: 60_000 }, async () => {
    await using scene = await sceneWithRoot(browser);
    const { page, options, tree } = scene;
    await using server = await announceServer(scene);
    for (const [by, chosen] of Object.entries(ways)) {
      for (const answer of chosen) {
        const reply = server.ask(questionIn(scene), soon());
        await asking(page).waitFor();
        await press(page, answer, by);
        expect([by, (await reply)?.answer]).toEqual([by, answer]);
        await asking(page).waitFor({ state: 'detached' });
      }
    }
    await using store = await openRootStore({ file: options.file ?? '' });
    expect(store.get(tree.at('work/shop'))?.servers).toEqual({ files: { allow: ['read', 'list'] } });
  });

  test('what cannot be kept is not offered', async () => {
    await using scene = await openScene(browser, { entries });
    const { page } = scene;
    await using server = await announceServer(scene);
    // The root is not among those that are kept.
    const reply = server.ask(questionIn(scene), soon());
    await asking(page).getByRole('button', { name: names.never }).waitFor();
    expect(await asking(page).getByRole('button', { name: names.always }).count()).toBe(0);
    await press(page, 'never', 'mouse');
    expect(await reply).toMatchObject({ answer: 'never', kept: false });
  });

  test('typing elsewhere answers nothing, and the typing continues afterwards', async () => {
    await using scene = await sceneWithRoot(browser);
    const { page } = scene;
    await goTo(page, 'Try it');
    const field = page.getByLabel('Path or file URI');
    await field.focus();
    await using server = await announceServer(scene);
    let answered = false;
    const reply = server.ask(questionIn(scene), soon()).finally(() => (answered = true));
    await asking(page).waitFor();
    const once = asking(page).getByRole('button', { name: names.once });
    // For longer than the moment in which nothing can be pressed, and with everything that could press something.
    for (let turn = 0; turn < 4; turn += 1) {
      for (const key of ['1', '2', '3', '4', 'Enter', 'Space', 'a'])
        await page.keyboard.press(key, { delay: 15 });
    }
    expect(await once.isDisabled()).toBe(true);
    await expect.poll(() => once.isEnabled()).toBe(true);
    // A number counts only where the focus is, and one that is held down since before counts nowhere.
    await page.getByRole('heading', { name: 'A client asks you' }).focus();
    await page.keyboard.down('1');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^Once/);
    await page.keyboard.down('1');
    await page.keyboard.up('1');
    expect(answered).toBe(false);
    await page.keyboard.press('4');
    expect((await reply)?.answer).toBe('never');
    await asking(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Path or file URI');
    expect(await field.inputValue()).toBe('');
  });

  test('a question on top of a dialog leaves it as it was', async () => {
    await using scene = await sceneWithRoot(browser);
    const { page } = scene;
    await page.getByRole('button', { name: 'shop, details' }).click();
    await page.getByLabel('New restriction').fill('half a th');
    await using server = await announceServer(scene);
    const reply = server.ask(questionIn(scene), soon());
    await asking(page).waitFor();
    await expectAccessible(page);
    const ids = await page.evaluate<readonly string[]>(
      '[...document.querySelectorAll("[id]")].map(({ id }) => id)',
    );
    expect(ids).toEqual([...new Set(ids)]);
    expect(await page.locator('dialog[open]').count()).toBe(2);
    await press(page, 'once', 'mouse');
    expect((await reply)?.answer).toBe('once');
    await asking(page).waitFor({ state: 'detached' });
    expect(await page.getByLabel('New restriction').inputValue()).toBe('half a th');
    expect(await focused(page)).toBe('New restriction');
  });

  test('a question can wait; it is in all windows, and gone from all when one has answered', async () => {
    await using scene = await sceneWithRoot(browser);
    const { page } = scene;
    const other = await scene.newWindow();
    await other.goto(scene.web.link());
    await other.getByText('Live').waitFor();
    await using server = await announceServer(scene);
    const reply = server.ask(questionIn(scene), soon());
    await Promise.all([asking(page).waitFor(), asking(other).waitFor()]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '1 question waiting' }).click();
    await asking(page).waitFor();
    await press(other, 'once', 'mouse');
    expect((await reply)?.answer).toBe('once');
    await asking(page).waitFor({ state: 'detached' });
  });

  test('a hidden page counts as hidden, and a closed one not at all', async () => {
    await using scene = await sceneWithRoot(browser);
    const { page } = scene;
    await using server = await announceServer(scene);
    await expect.poll(() => server.findPage()).toBe('visible');
    const look = (state: string): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
         document.dispatchEvent(new Event('visibilitychange'));`,
      );
    await look('hidden');
    await expect.poll(() => server.findPage()).toBe('hidden');
    await look('visible');
    await expect.poll(() => server.findPage()).toBe('visible');
    await page.close();
    await expect.poll(() => server.findPage()).toBeUndefined();
  });

  test('a hostile client cannot hide what it asks for', async () => {
    await using scene = await sceneWithRoot(browser);
    const { page, tree } = scene;
    await page.setViewportSize({ width: 390, height: 780 });
    await using server = await announceServer(scene);
    const reply = server.ask(
      questionIn(scene, {
        who: `<b>You</b>\u202E${'N'.repeat(10_000)}`,
        path: tree.at('work/shop/\u{E0041}a\u202Etxt.exe'),
        reason: '</p><script>alert(1)</script>',
      }),
      soon(),
    );
    await asking(page).getByText('<b>You</b>').first().waitFor();
    for (const text of ['U+202E', 'U+E0041', '</p><script>'])
      await asking(page).getByText(text).first().waitFor();
    expect(await page.locator('dialog b, dialog script').count()).toBe(0);
    expect(await asking(page).textContent()).not.toMatch(/[\u202E\u{E0041}]/u);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    const never = asking(page).getByRole('button', { name: names.never });
    await never.scrollIntoViewIfNeeded();
    await never.click();
    expect((await reply)?.answer).toBe('never');
    expect(scene.complaints).toEqual([]);
  });
});
