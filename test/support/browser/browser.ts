import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findProgram } from './find-chromium.ts';
import { builtPage } from '../processes/build-once.ts';
import { openOwnWeb, type OwnWeb, type OwnWebOptions } from './open-page.ts';

/** A page in a real browser, on a server of its own. */
export interface Scene extends OwnWeb {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: errors of scripts, refusals of the content security policy. */
  readonly complaints: readonly string[];
  /** Another window of the same browser. */
  newWindow(): Promise<Page>;
}

/**
 * The files of one worker share its browser, which ends with the worker, and a window that is between two scenes: a
 * window of its own would take a process more for each scene.
 */
const started: { browser?: Promise<Browser>; idle?: Page | undefined } = {};

export async function sharedBrowser(): Promise<Browser> {
  const browser = await started.browser;
  if (browser?.isConnected() === true) return browser;
  started.browser = chromium.launch({
    executablePath: findProgram(),
    args: ['--no-sandbox', '--disable-gpu'],
    // Playwright would end the whole worker when a test of another file raises a signal in it.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  return started.browser;
}

/** Milliseconds; a busy machine draws slowly. */
const patience = 20_000;

const usual = { width: 1180, height: 800 } as const;

/** A page that shows the roots. A test that changes more of its browser than a window can takes a context of its own. */
export async function openScene(browser: Browser, options: OwnWebOptions = {}): Promise<Scene> {
  const own = await openOwnWeb({ page: builtPage, ...options });
  const page = await takeWindow(browser);
  const context = page.context();
  const complaints: string[] = [];
  listenTo(page, complaints);
  await page.goto(own.web.link());
  await page.getByRole('heading', { level: 1, name: 'Roots' }).waitFor();
  return {
    ...own,
    page,
    context,
    complaints,
    async newWindow() {
      const other = await context.newPage();
      listenTo(other, complaints);
      return other;
    },
    async [Symbol.asyncDispose]() {
      await giveBack(page);
      await own[Symbol.asyncDispose]();
    },
  };
}

/** The window that is between two scenes, or a new one in a context of its own. */
async function takeWindow(browser: Browser): Promise<Page> {
  const { idle } = started;
  started.idle = undefined;
  if (idle !== undefined && idle.context().browser()?.isConnected() === true) return idle;
  const context = await browser.newContext({
    viewport: usual,
    colorScheme: 'light',
    acceptDownloads: true,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patience);
  return context.newPage();
}

/** Has the window as a new one is, for the next scene. One that a test has closed is gone with all of its context. */
async function giveBack(page: Page): Promise<void> {
  const context = page.context();
  if (page.isClosed() || started.idle !== undefined) return context.close();
  for (const other of context.pages()) if (other !== page) await other.close();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(usual);
  await context.clearCookies();
  started.idle = page;
}

function listenTo(page: Page, complaints: string[]): void {
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    const text = message.text();
    // A server that is gone is what some tests are about.
    if (message.type() === 'error' && !/net::ERR|status of 4\d\d/.test(text)) complaints.push(text);
  });
}

/** The view of this name. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** How far the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** What has the focus, by its label or its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { activeElement: element } = document;
    const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText;
    return (label ?? element.innerText).split('\\n')[0];
  })()`);
}

/** Nothing that a person with a screen reader, a keyboard or weak eyes would stumble over. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that was judged before has the program already.
  const known = (await page.evaluate<boolean>('"axe" in window')) && { axeSource: '0' };
  const builder = new AxeBuilder({ page, ...known }).setLegacyMode();
  const { violations } = await builder.options({ resultTypes: ['violations'] }).analyze();
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join('\n')}`,
  );
  expect(told).toEqual([]);
}

/** Keeps a picture to look at, in the directory that `ROOTWARD_PICTURES` names. The good ones go to docs/images. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const directory = process.env['ROOTWARD_PICTURES'];
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  await page.evaluate(otherPlace);
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' });
  await page.evaluate('window.putBack()');
}

/** Where a test happens to have its files is nothing to show: for the moment of the picture they lie elsewhere. */
const otherPlace = `(() => {
  const before = [];
  const change = (object, key) => {
    const text = object[key];
    const other = text.replace(/\\/[\\w./-]*rootward-test-\\w+\\/(?=work\\b)/g, '/home/ana/');
    if (other === text) return;
    before.push(() => (object[key] = text));
    object[key] = other;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) change(walker.currentNode, 'data');
  for (const input of document.querySelectorAll('input')) change(input, 'value');
  window.putBack = () => before.forEach((run) => run());
})()`;
