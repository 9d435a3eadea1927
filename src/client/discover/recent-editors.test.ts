import { expect, test } from 'vitest';
import { editors, storageOf } from './recent-editors.ts';

const [code = { title: '', directory: '' }] = editors;

test.each([
  ['linux', '/home/me', {}, '/home/me/.config/Code/User/workspaceStorage'],
  ['linux', '/home/me', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Code/User/workspaceStorage'],
  ['linux', '/home/me', { XDG_CONFIG_HOME: 'cfg' }, '/home/me/.config/Code/User/workspaceStorage'],
  ['darwin', '/Users/me', {}, '/Users/me/Library/Application Support/Code/User/workspaceStorage'],
  ['win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\Code\\User\\workspaceStorage'],
  ['win32', 'C:\\Users\\me', {}, 'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\workspaceStorage'],
] as const)('on %s with home %s and %o', (system, home, environment, expected) => {
  expect(storageOf(code, { system, home, environment })).toBe(expected);
});

test('VS Code and its kin are known', () => {
  expect(editors.map(({ directory }) => directory)).toEqual([
    'Code',
    'Code - Insiders',
    'VSCodium',
    'Cursor',
  ]);
});
