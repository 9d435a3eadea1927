import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AuditEntry, formatEntry, parseEntry } from '../../../src/audit/entry.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { announceServer, connectionOf } from '../../support/browser/announced-server.ts';
import {
  expectAccessible,
  goTo,
  openScene,
  overflowOf,
  type Scene,
  sharedBrowser,
} from '../../support/browser/browser.ts';

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

/** What the page saves, as entries. */
async function exported(page: Page, act: () => Promise<void>): Promise<readonly AuditEntry[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => parseEntry(line)).filter((one) => one !== undefined);
}

/** In place of a server that asks before it writes, the answer is another one; when it is gone, so is the choice. */
async function asARunningServer(scene: Scene): Promise<void> {
  const { page, tree } = scene;
  const server = await announceServer(scene, [
    connectionOf({ roots: ['shop'], places: [tree.at('work/shop')] }),
  ]);
  const policy = { preset: 'ask-before-write' } as const;
  server.update({ rules: { policy, limited: false, follows: false, directories: [tree.at('work/shop')] } });
  const choice = page.getByLabel('In place of');
  await choice.getByText('Editor at rootward serve').waitFor({ state: 'attached' });
  await choice.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: /^You would be asked/ }).waitFor();
  await expectAccessible(page);
  await server.close();
  await page.getByRole('heading', { name: /^Refused/ }).waitFor();
}

describe.runIf(canRun('chromium'))(`the audit on the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

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

  test('filters, search and export tell the same, by mouse and by keyboard, and stay', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    const all = Array.from({ length: 60 }, (_, at) => entry(at, at % 10 === 4 ? refusal : {}));
    write(scene, ...all);
    await page.getByText('60 entries').waitFor();
    const count = (filter: Partial<AuditEntry>): number =>
      all.filter((one) =>
        Object.entries(filter).every(([key, value]) => one[key as keyof AuditEntry] === value),
      ).length;
    // The first choice of each, as the arrow key finds it.
    for (const [label, filter] of [
      ['Client', { caller: 'Editor' }],
      ['Root', { root: 'docs' }],
      ['Operation', { operation: 'read' }],
      ['Verdict', { verdict: 'allow' }],
    ] as const) {
      const choice = page.getByLabel(label, { exact: true });
      await choice.focus();
      await page.keyboard.press('ArrowDown');
      await page.getByText(`${count(filter)} entries`, { exact: true }).waitFor();
      await choice.selectOption('');
      await page.getByText('60 entries').waitFor();
    }
    await page.getByLabel('Verdict').selectOption({ label: 'refused' });
    await page.getByLabel('Search', { exact: true }).fill('PASSWORDS');
    await page.getByText('6 entries', { exact: true }).waitFor();
    await goTo(page, 'Roots');
    await goTo(page, 'Audit');
    await page.getByText('6 entries', { exact: true }).waitFor();
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('PASSWORDS');
    await page.getByRole('link', { name: 'Export' }).focus();
    const lines = await exported(page, () => page.keyboard.press('Enter'));
    expect(lines.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 6 }, () => 'deny'));
    await page.getByLabel('Search', { exact: true }).fill('nothing like that');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByText('60 entries').waitFor();
  });

  test('a paused list does not change, can be filtered, and exports what it shows', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    write(scene, ...Array.from({ length: 30 }, (_, at) => entry(at, at < 3 ? refusal : {})));
    await page.getByText('30 entries', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.press('Enter');
    write(scene, entry(31, refusal));
    await page.getByRole('button', { name: 'New entries' }).waitFor();
    await page.getByText('30 entries, paused').waitFor();
    expect(await exported(page, () => page.getByRole('link', { name: 'Export' }).click())).toHaveLength(30);
    await page.getByLabel('Verdict').selectOption('deny');
    await page.getByText('3 entries, paused').waitFor();
    await page.locator('.audit-row time').nth(2).waitFor();
    await page.getByRole('button', { name: 'New entries' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('4 entries', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  test('who reads further down is told of new entries, and taken up to them', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    write(scene, ...Array.from({ length: 300 }, (_, at) => entry(at)));
    await page.getByText('300 entries', { exact: true }).waitFor();
    await page.locator('.audit-row').first().focus();
    await page.keyboard.press('End');
    await page.getByText('src/file-0.ts').waitFor();
    write(scene, entry(999));
    await page.getByRole('button', { name: 'New entries' }).click();
    await page.getByText('src/file-999.ts').waitFor();
    await page.getByText('301 entries', { exact: true }).waitFor();
    await page.getByLabel('Search', { exact: true }).fill('file-2');
    await page.getByText('111 entries', { exact: true }).waitFor();
    expect(await page.evaluate("document.querySelector('.virtual').scrollTop")).toBe(0);
  });

  test('a refusal explains itself, and can be tried step by step; a failure is not a refusal', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    const failure = {
      outcome: 'failed',
      code: 'NOT_FOUND',
      reason: 'preset "read-only" allows "read"',
    } as const;
    write(scene, entry(1, refusal), entry(2, failure));
    const failed = page.locator('.audit-row').first();
    await failed.getByText('not found').waitFor();
    expect(await failed.textContent()).not.toContain('allows');
    await failed.click();
    await page.getByRole('dialog', { name: 'Failed: read' }).getByText('but failed: not found').waitFor();
    // Beside the sheet.
    await page.mouse.click(300, 400);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const changed = [{ kind: 'written', place: 'a', count: 1, lines: { added: 3, removed: 1 } }] as const;
    write(scene, entry(3, { outcome: 'cancelled', changed }));
    await page.locator('.audit-row').first().getByText('cancelled', { exact: true }).click();
    const cancelled = page.getByRole('dialog', { name: 'Cancelled: read' });
    await cancelled.getByText('Some changes were already made').waitFor();
    await cancelled.getByText('+3 -1', { exact: true }).waitFor();
    await page.mouse.click(300, 400);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.audit-row').nth(2).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Blocked by the restriction .env').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Try it step by step' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Try it' }).waitFor();
    expect(await page.getByLabel('Path or file URI').inputValue()).toBe('.env');
    await page.getByText('Relative paths begin in docs').waitFor();
    await page.getByRole('heading', { name: /^Refused/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Do not begin relative paths in docs' }).click();
    await page.getByText('Relative paths begin in').waitFor({ state: 'detached' });
  });

  test('hostile names and lines stay in their places, wide and narrow', async () => {
    await using scene = await openAudit();
    const { page } = scene;
    const caller = `<img src=x onerror=alert(1)>\u202E${'N'.repeat(230)}`;
    write(scene, entry(1, { caller, root: 'shop', path: `a\u202Egpj<b>x</b>/${'y'.repeat(4_000)}` }));
    appendFileSync(scene.tree.at('home/log/audit.jsonl'), '{"time":"<script>"}\nno line at all\n');
    write(scene, entry(2, { ...refusal, reason: '</button><script>alert(1)</script>' }));
    await page.getByText('2 entries').waitFor();
    await page.getByText('2 lines of the log could not be read').waitFor();
    const row = page.locator('.audit-row').nth(1);
    await row.getByText('U+202E').first().waitFor();
    expect(await page.locator('main img, main script, .audit-row b').count()).toBe(0);
    for (const width of [1180, 390]) {
      await page.setViewportSize({ width, height: 780 });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      const box = await page.getByLabel('Client', { exact: true }).boundingBox();
      expect(box?.width).toBeLessThan(200);
      for (const part of ['time', '.where', '.verdict', '.hint', '.what']) {
        const place = await row.locator(part).first().boundingBox();
        expect([part, (place?.width ?? 0) > 20, (place?.x ?? -1) >= 0]).toEqual([part, true, true]);
        expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(width);
      }
    }
    await row.click();
    await page.getByRole('dialog').getByText('U+202E').first().waitFor();
    expect(await page.locator('dialog img, dialog b').count()).toBe(0);
    expect(scene.complaints).toEqual([]);
  });

  test('a path is tried step by step', async () => {
    await using scene = await openScene(browser, { entries: ['work/shop/a.txt', 'work/shop/.env = x'] });
    const { page, tree } = scene;
    await page.getByRole('button', { name: 'Add a root', exact: true }).click();
    await page.getByLabel('Path or file URI').fill(tree.at('work/shop'));
    await page.getByText('No problems found with').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'shop, details' }).waitFor();
    await page.getByRole('link', { name: 'Try it' }).click();
    const field = page.getByLabel('Path or file URI');
    await field.fill(tree.at('work/shop/a.txt'));
    await page.getByRole('heading', { name: /^Allowed/ }).waitFor();
    expect(await page.locator('.steps .good').count()).toBe(5);
    await field.fill(tree.at('work/shop/.env'));
    await page.getByText('environment files hold').waitFor();
    await field.fill(tree.at('work/shop/a.txt'));
    await page.getByLabel('Operation').selectOption('write');
    await page.getByRole('heading', { name: /^Refused/ }).waitFor();
    await page.getByText('Switch the permission on').waitFor();
    await asARunningServer(scene);
    await field.fill(`file://${tree.at('work/shop')}/../shop/.env`);
    await page.getByText('segments').waitFor();
    await expectAccessible(page);
  });
});
