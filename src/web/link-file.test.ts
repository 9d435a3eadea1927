import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { openOwnDirectory } from '../config/own-directory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { openLinkFiles } from './link-file.ts';

const link = `http://127.0.0.1:1/${'p'.repeat(43)}/#${'t'.repeat(43)}`;

afterEach(() => void vi.useRealTimers());

test('writes a link to a file for the owner only, under a name that does not reveal it', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.at('my state'));
  const files = await openLinkFiles(state);
  const url = await files.write(link);
  expect(url).toMatch(/^file:\/\/\/.*my%20state\/open-[\da-f]{24}\.html$/);
  const file = fileURLToPath(url);
  expect(readFileSync(file, 'utf8')).toContain(`url=${link}"`);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  files.used('another');
  expect(existsSync(file)).toBe(true);
  files.used(link);
  await expect.poll(() => readdirSync(tree.at('my state'))).toEqual([]);
});

test('removes an unused file after two minutes, and at the end', async () => {
  using tree = tempTree();
  await using state = await openOwnDirectory(tree.path);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const files = await openLinkFiles(state);
  const first = fileURLToPath(await files.write(link));
  vi.advanceTimersByTime(60_000);
  const second = fileURLToPath(await files.write(`${link}x`));
  vi.advanceTimersByTime(61_000);
  vi.useRealTimers();
  await expect.poll(() => existsSync(first)).toBe(false);
  expect(existsSync(second)).toBe(true);
  await files.close();
  expect(readdirSync(tree.path)).toEqual([]);
});

test('removes files that a killed server left, and nothing else', async () => {
  using tree = tempTree([`open-${'a'.repeat(24)}.html`, `open-${'b'.repeat(24)}.html`, 'open-me.html']);
  utimesSync(tree.at(`open-${'a'.repeat(24)}.html`), 0, 0);
  await using state = await openOwnDirectory(tree.path);
  await openLinkFiles(state);
  expect(readdirSync(tree.path).toSorted()).toEqual([`open-${'b'.repeat(24)}.html`, 'open-me.html']);
});
