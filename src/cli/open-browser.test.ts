import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { openBrowser, openerFor } from './open-browser.ts';

afterEach(() => void vi.unstubAllEnvs());

test('each platform has its program, and none is started without a screen', () => {
  expect(openerFor('darwin', {})?.command).toBe('open');
  expect(openerFor('win32', {})?.command).toBe('rundll32');
  expect(openerFor('linux', { WAYLAND_DISPLAY: 'wayland-0' })?.command).toBe('xdg-open');
  expect(openerFor('linux', { DISPLAY: '' })).toBeUndefined();
});

test.runIf(process.platform === 'linux')('the link is one argument, whatever is in it', async () => {
  using tree = tempTree();
  const program = tree.at('xdg-open');
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s' "$1" > ${tree.at('seen.tmp')}\nmv ${tree.at('seen.tmp')} ${tree.at('seen')}\n`,
  );
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', `${tree.path}:${process.env['PATH'] ?? ''}`);
  const link = 'http://127.0.0.1:1/#a$(touch evil);`x` b';
  openBrowser(link, { DISPLAY: ':0' });
  await expect.poll(() => existsSync(tree.at('seen')), { timeout: 5_000 }).toBe(true);
  expect(readFileSync(tree.at('seen'), 'utf8')).toBe(link);
});
