import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findOpener, openInBrowser } from './open-browser.ts';

test('each platform has its program by its full name, and none is started without a screen', () => {
  expect(findOpener('darwin', {}).opener?.command).toBe('/usr/bin/open');
  expect(findOpener('win32', { SystemRoot: 'D:\\W' }).opener?.command).toBe('D:\\W\\System32\\rundll32.exe');
  expect(findOpener('linux', { DISPLAY: '' })).toEqual({ opener: undefined, told: [] });
});

test.runIf(process.platform === 'linux')(
  'one that lies in a project is not started, and that is said',
  () => {
    using tree = tempTree(['.venv/bin/xdg-open']);
    chmodSync(tree.at('.venv/bin/xdg-open'), 0o755);
    const found = findOpener('linux', { DISPLAY: ':0', PATH: tree.at('.venv/bin') });
    expect(found.opener).toBeUndefined();
    expect(found.told).toEqual([
      expect.stringContaining(`"${tree.at('.venv/bin/xdg-open')}" is not used: `),
      'xdg-open, which opens browsers, is not installed',
    ]);
  },
);

test.runIf(process.platform === 'linux')(
  'it gets one argument, whatever is in it, and nothing of ours',
  async () => {
    using tree = tempTree();
    const command = tree.at('opener');
    const script = `printf '%s\\n' "$#" "$1" "$ROOTWARD_TOKEN" "$PATH" > ${tree.at('seen')}`;
    writeFileSync(command, `#!/bin/sh\n${script}\n`);
    chmodSync(command, 0o755);
    const url = 'file:///home/a$(touch evil);`x` b.html';
    const environment = { PATH: `${tree.path}:/usr/bin::bin`, ROOTWARD_TOKEN: 'secret' };
    expect(await openInBrowser({ command, args: [] }, url, environment)).toBe(true);
    expect(readFileSync(tree.at('seen'), 'utf8')).toBe(`1\n${url}\n\n/usr/bin\n`);
    expect(existsSync(tree.at('evil'))).toBe(false);
  },
);

test.runIf(process.platform === 'linux')('one that fails, or is not there, is told', async () => {
  expect(await openInBrowser({ command: '/nowhere/opener', args: [] }, 'file:///x', {})).toBe(false);
  expect(await openInBrowser({ command: '/bin/false', args: [] }, 'file:///x', {})).toBe(false);
});
