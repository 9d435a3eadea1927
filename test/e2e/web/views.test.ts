import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AuditEntry, formatEntry } from '../../../src/audit/entry.ts';
import { openRootStore } from '../../../src/client/index.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import {
  expectAccessible,
  goTo,
  openScene,
  overflowOf,
  type Scene,
  sharedBrowser,
  takePicture,
} from '../../support/browser/browser.ts';
import { type StartedServer, startServer } from '../../support/browser/start-server.ts';

const entries = [
  'work/shop/package.json = {"name":"shop"}',
  'work/shop/src/cart.ts',
  'work/shop/.env = x',
  'work/docs/guide/readme.md',
  'work/tool/Cargo.toml = [package]\nname = "tool"',
  'work/notes.md = notes',
];

/** A morning with two clients. */
function morning(): readonly AuditEntry[] {
  const paths = ['src/cart.ts', 'src/pay.ts', 'package.json', 'guide/readme.md', '.env', '../other/key.pem'];
  return Array.from({ length: 240 }, (_, at): AuditEntry => {
    const path = paths[(at * 7 + (at >> 3)) % paths.length] ?? '';
    const refused = path === '.env' || path.startsWith('..');
    const failed = at % 41 === 0 && !refused;
    return {
      time: new Date(Date.now() - (240 - at) * 13_000 - (at % 5) * 2_000).toISOString(),
      caller: at % 3 === 0 ? 'Searcher' : 'Editor',
      operation: at % 6 === 5 ? 'write' : 'read',
      path,
      ...(path.startsWith('..') ? {} : { root: at % 4 === 0 ? 'docs' : 'shop' }),
      verdict: refused ? 'deny' : 'allow',
      rule: refused ? (path === '.env' ? 'deny:.env' : 'outside-roots') : 'allow:read',
      ...(refused
        ? {
            reason:
              path === '.env' ? 'environment files hold passwords and tokens' : 'it leads out of the roots',
          }
        : {}),
      outcome: refused ? 'refused' : failed ? 'failed' : 'done',
      ...(refused ? { code: 'DENIED' } : failed ? { code: 'NOT_FOUND' } : {}),
      duration: 0.4,
      revision: 1,
    };
  });
}

async function fill({ tree, options, page }: Scene): Promise<void> {
  await using store = await openRootStore({ file: options.file ?? '' });
  for (const name of ['shop', 'docs', 'tool', 'notes.md']) await store.add(tree.at('work', name));
  await store.deny('shop', { globs: ['dist/**'] });
  await store.allow('shop', { operations: ['write'] });
  rmSync(tree.at('work/docs'), { recursive: true });
  mkdirSync(tree.at('home/log'), { recursive: true });
  appendFileSync(
    tree.at('home/log/audit.jsonl'),
    morning()
      .map((one) => `${formatEntry(one)}\n`)
      .join(''),
  );
  await page.locator('.root-row').filter({ hasText: 'docs' }).getByText('missing').waitFor();
  await page.locator('.root-row').filter({ hasText: 'shop' }).getByText('dist/**').waitFor();
}

function startAsking({ tree }: Scene): Promise<StartedServer> {
  writeFileSync(tree.at('home/serve.jsonc'), '{ "policy": { "preset": "ask-before-write" } }');
  const args = [tree.at('work/shop'), '--config', tree.at('home/serve.jsonc')];
  return startServer({ home: tree.at('home'), args, roots: [tree.at('work/shop')] });
}

const looks = [
  ['light', 1180, true],
  ['dark', 1180, false],
  ['light', 390, false],
  ['dark', 390, true],
] as const;
/** For a machine with much else to do. Milliseconds. */
const patience = 60_000;
const views = ['Roots', 'Connections', 'Audit', 'Try it'] as const;

describe.runIf(canRun('chromium'))(`every view${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test(
    'light and dark, wide and narrow: nothing is cut off, nothing is unreadable',
    { timeout: patience },
    async () => {
      await using scene = await openScene(browser, { entries });
      const { page, tree } = scene;
      await fill(scene);
      await using server = await startAsking(scene);
      await server.call('list_directory', { path: tree.at('work/shop') });
      for (const [colorScheme, width, isJudged] of looks) {
        await page.setViewportSize({ width, height: width === 390 ? 780 : 800 });
        await page.emulateMedia({ colorScheme });
        for (const name of views) {
          await goTo(page, name);
          if (name === 'Connections') await page.getByText('listed 1 root').waitFor();
          if (name === 'Audit') await page.getByText('entries').first().waitFor();
          if (name === 'Try it') {
            await page.getByLabel('Path or file URI').fill(tree.at('work/shop/.env'));
            await page.getByRole('heading', { name: /^Refused/ }).waitFor();
          }
          // Each in one of the two sizes: more would say the same.
          if (isJudged) await expectAccessible(page);
          expect(await overflowOf(page)).toBeLessThanOrEqual(0);
          await takePicture(page, `${name.toLowerCase().replace(' ', '-')}-${colorScheme}-${width}`);
        }
      }
      expect(scene.complaints).toEqual([]);
    },
  );
});
