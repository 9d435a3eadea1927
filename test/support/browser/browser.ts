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

/** The files of one worker share its browser, which ends with the worker: a scene is a context of its own in it. */
const started: { browser?: Promise<Browser> } = {};

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

export interface SceneOptions extends OwnWebOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** Milliseconds; a busy machine draws slowly. */
const patience = 20_000;

export async function openScene(browser: Browser, options: SceneOptions = {}): Promise<Scene> {
  const { width = 1180, height = 800, colorScheme = 'light', ...more } = options;
  const own = await openOwnWeb({ page: builtPage, ...more });
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    acceptDownloads: true,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patience);
  const complaints: string[] = [];
  const newWindow = async (): Promise<Page> => {
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      const text = message.text();
      // A server that is gone is what some tests are about.
      if (message.type() === 'error' && !/net::ERR|status of 4\d\d/.test(text)) complaints.push(text);
    });
    return page;
  };
  const page = await newWindow();
  await page.goto(own.web.link());
  await page.getByRole('heading', { level: 1, name: 'Roots' }).waitFor();
  return {
    ...own,
    page,
    context,
    complaints,
    newWindow,
    async [Symbol.asyncDispose]() {
      await context.close();
      await own[Symbol.asyncDispose]();
    },
  };
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
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
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
