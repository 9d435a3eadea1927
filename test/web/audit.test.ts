import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuditEntry, formatEntry, parseEntry } from '../../src/audit/entry.ts';
import { canRun, needs } from '../system-programs.ts';
import { expectAccessible, launch, openScene, type Scene, takePicture } from './browser.ts';

function entry(at: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    time: new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString(),
    caller: at % 3 === 0 ? 'Editor' : 'Searcher',
    operation: at % 5 === 0 ? 'write' : 'read',
    path: `src/file-${at}.ts`,
    root: at % 2 === 0 ? 'shop' : 'docs',
    verdict: 'allow',
    rule: 'allow:read',
    outcome: 'done',
    duration: 0.4,
    revision: 1,
    ...more,
  };
}

const refusal: Partial<AuditEntry> = {
  path: '.env',
  verdict: 'deny',
  rule: 'deny:.env',
  reason: 'environment files hold passwords and tokens',
  outcome: 'refused',
  code: 'DENIED',
};

function write({ tree }: Scene, ...entries: readonly AuditEntry[]): void {
  mkdirSync(tree.at('home/log'), { recursive: true });
  appendFileSync(tree.at('home/log/audit.jsonl'), entries.map((one) => `${formatEntry(one)}\n`).join(''));
}

describe.runIf(canRun('chromium'))(`the audit on the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function openAudit(): Promise<Scene> {
    const scene = await openScene(browser);
    await scene.page.getByRole('link', { name: 'Audit' }).click();
    return scene;
  }

  test('an empty log teaches, and lines appear as they are written', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    await page.getByText('Nothing has been decided yet').waitFor();
    await expectAccessible(page);
    write(scene, entry(1), entry(2, refusal));
    await page.getByText('2 entries').waitFor();
    const first = page.locator('.audit-row').first();
    await first.getByText('environment files hold passwords').waitFor();
    expect(await first.textContent()).toContain('refused');
    await page.getByRole('img', { name: '1 entry allowed, 1 entry refused' }).waitFor();
    await expectAccessible(page);
    expect(scene.complaints).toEqual([]);
  });

  test('filters, search and export tell the same', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    const all = Array.from({ length: 60 }, (_, at) => entry(at, at % 10 === 4 ? refusal : {}));
    write(scene, ...all);
    await page.getByText('60 entries').waitFor();
    await takePicture(page, 'audit');
    const count = (filter: Partial<AuditEntry>): number =>
      all.filter((one) =>
        Object.entries(filter).every(([key, value]) => one[key as keyof AuditEntry] === value),
      ).length;
    for (const [label, filter] of [
      ['Client', { caller: 'Editor' }],
      ['Root', { root: 'docs' }],
      ['Operation', { operation: 'write' }],
      ['Verdict', { verdict: 'deny' }],
    ] as const) {
      const [value] = Object.values(filter);
      await page.getByLabel(label, { exact: true }).selectOption(value ?? '');
      await page.getByText(`${count(filter)} entries`, { exact: true }).waitFor();
      await page.getByLabel(label, { exact: true }).selectOption('');
    }
    await page.getByLabel('Verdict').selectOption('deny');
    await page.getByLabel('Search', { exact: true }).fill('PASSWORDS');
    await page.getByText('6 entries', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => parseEntry(line)?.verdict)).toEqual(Array.from({ length: 6 }, () => 'deny'));
    await page.getByLabel('Search', { exact: true }).fill('nothing like that');
    await page.getByText('No entry matches').waitFor();
  });

  test('a list that is paused stands still, and says that there is more', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    write(scene, entry(1));
    await page.getByText('1 entry', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    write(scene, entry(2));
    await page.getByRole('button', { name: 'New entries' }).waitFor();
    expect(await page.locator('.audit-row').count()).toBe(1);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('2 entries').waitFor();
  });

  test('a refusal explains itself, and can be tried step by step', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    write(scene, entry(1, refusal));
    await page.locator('.audit-row').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The restriction .env closes it').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Try it step by step' }).click();
    await page.getByRole('heading', { level: 1, name: 'Try it' }).waitFor();
    expect(await page.getByLabel('Path or file URI').inputValue()).toBe('.env');
    await page.getByText('There is no root yet').waitFor();
  });

  test('a path is tried step by step', async () => {
    await using scene = await openScene(browser, { entries: ['work/shop/a.txt', 'work/shop/.env = x'] });
    const { page, tree } = scene;
    await page.getByRole('button', { name: 'Add a root', exact: true }).click();
    await page.getByLabel('Path or file URI').fill(tree.at('work/shop'));
    await page.getByText('Nothing speaks against').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'shop, details' }).waitFor();
    await page.getByRole('link', { name: 'Try it' }).click();
    const field = page.getByLabel('Path or file URI');
    await field.fill(tree.at('work/shop/a.txt'));
    await page.getByRole('heading', { name: /^Allowed/ }).waitFor();
    expect(await page.locator('.steps .good').count()).toBe(5);
    await field.fill(tree.at('work/shop/.env'));
    await page.getByText('environment files hold').waitFor();
    for (const toast of await page.getByRole('button', { name: 'Dismiss' }).all()) await toast.click();
    await takePicture(page, 'try-it');
    await field.fill(tree.at('work/shop/a.txt'));
    await page.getByLabel('Operation').selectOption('write');
    await page.getByRole('heading', { name: /^Refused/ }).waitFor();
    await page.getByText('Switch the permission on').waitFor();
    await field.fill(`file://${tree.at('work/shop')}/../shop/.env`);
    await page.getByText('segments').waitFor();
    await expectAccessible(page);
  });
});
