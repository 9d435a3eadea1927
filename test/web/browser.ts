import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findProgram } from './find-chromium.ts';
import { builtPage } from './build-page.ts';
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

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram(), args: ['--no-sandbox', '--disable-gpu'] });
}

export interface SceneOptions extends OwnWebOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

const patience = 8_000;

export async function openScene(browser: Browser, options: SceneOptions = {}): Promise<Scene> {
  const { width = 1180, height = 800, colorScheme = 'light', ...more } = options;
  const own = await openOwnWeb({ page: builtPage, ...more });
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    acceptDownloads: true,
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

/** Nothing that a person with a screen reader, a keyboard or weak eyes would stumble over. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join('\n')}`,
  );
  expect(told).toEqual([]);
}

/** Keeps a picture for the documents, when somebody wants new ones: `ROOTWARD_PICTURES=1`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['ROOTWARD_PICTURES'] === undefined) return;
  const directory = fileURLToPath(new URL('../../docs/images/', import.meta.url));
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: `${directory}${name}.png`, animations: 'disabled' });
}
