import { utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { readRecentFolders, readWorkspaceFolders, type RecentOptions, storageOf } from './recent-folders.ts';

function optionsFor(tree: TempTree): RecentOptions {
  return { system: 'linux', home: tree.path, environment: {} };
}

function remember(tree: TempTree, entry: string, value: object): void {
  tree.add(`.config/${entry}/workspace.json = ${JSON.stringify(value)}`);
}

test('reads the folders every editor had open, the latest use first', async () => {
  using tree = tempTree();
  remember(tree, 'Code/User/workspaceStorage/a', { folder: 'file:///srv/a' });
  remember(tree, 'Code - Insiders/User/workspaceStorage/b', { folder: 'file:///srv/b%20c' });
  remember(tree, 'VSCodium/User/workspaceStorage/c', { folder: 'file:///srv/c' });
  remember(tree, 'Cursor/User/workspaceStorage/d', { folder: 'file:///srv/d' });
  tree.add('.config/VSCodium/User/workspaceStorage/c/state.vscdb');
  const [old, late] = [new Date('2026-01-01'), new Date('2099-01-01')];
  utimesSync(tree.at('.config/Cursor/User/workspaceStorage/d/workspace.json'), old, old);
  utimesSync(tree.at('.config/VSCodium/User/workspaceStorage/c/workspace.json'), old, old);
  utimesSync(tree.at('.config/VSCodium/User/workspaceStorage/c/state.vscdb'), late, late);
  const found = await readRecentFolders(optionsFor(tree));
  expect(found[0]).toEqual({ path: '/srv/c', editor: 'VSCodium', opened: late });
  expect(found.at(-1)).toEqual({ path: '/srv/d', editor: 'Cursor', opened: old });
  expect(found.map(({ path }) => path).toSorted()).toEqual(['/srv/a', '/srv/b c', '/srv/c', '/srv/d']);
  expect(openHandles(tree.path)).toEqual([]);
});

test('reads all folders of a workspace that was open', async () => {
  using tree = tempTree(['ws/team.code-workspace = {"folders":[{"path":"."},{"path":"../api"}]}']);
  remember(tree, 'Code/User/workspaceStorage/a', {
    workspace: `file://${tree.at('ws/team.code-workspace')}`,
  });
  const found = await readRecentFolders(optionsFor(tree));
  expect(found.map(({ path, workspace }) => [path, workspace])).toEqual([
    [tree.at('ws'), 'team'],
    [tree.at('api'), 'team'],
  ]);
});

test('skips folders of other machines and unreadable entries', async () => {
  using tree = tempTree([
    '.config/Code/User/workspaceStorage/broken/workspace.json = {',
    '.config/Code/User/workspaceStorage/empty/',
    '.config/Code/User/workspaceStorage/file',
    '.config/Cursor/User/workspaceStorage',
  ]);
  remember(tree, 'Code/User/workspaceStorage/r', { folder: 'vscode-remote://wsl+ubuntu/home/me' });
  remember(tree, 'Code/User/workspaceStorage/n', { folder: 42 });
  remember(tree, 'Code/User/workspaceStorage/ok', { folder: 'file:///ok' });
  expect((await readRecentFolders(optionsFor(tree))).map(({ path }) => path)).toEqual(['/ok']);
});

test('reads nothing outside the storage of an editor, not even through a link', async () => {
  using tree = tempTree(['elsewhere/workspace.json = {"folder":"file:///secret"}']);
  remember(tree, 'Code/User/workspaceStorage/ok', { folder: 'file:///ok' });
  tree.add(
    '.config/Code/User/workspaceStorage/link => $TREE/elsewhere',
    '.config/Code/User/workspaceStorage/in/workspace.json => $TREE/elsewhere/workspace.json',
  );
  expect((await readRecentFolders(optionsFor(tree))).map(({ path }) => path)).toEqual(['/ok']);
});

test('reads at most the given number, and nothing after an abort', async () => {
  using tree = tempTree();
  for (const name of ['a', 'b', 'c'])
    remember(tree, `Code/User/workspaceStorage/${name}`, { folder: `file:///${name}` });
  expect(await readRecentFolders({ ...optionsFor(tree), folders: 2 })).toHaveLength(2);
  await expect(readRecentFolders({ ...optionsFor(tree), signal: AbortSignal.abort() })).rejects.toThrow(
    /abort/i,
  );
  expect(openHandles(tree.path)).toEqual([]);
});

test.each([
  ['linux', '/home/me', {}, '/home/me/.config/Code/User/workspaceStorage'],
  ['linux', '/home/me', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Code/User/workspaceStorage'],
  ['linux', '/home/me', { XDG_CONFIG_HOME: 'cfg' }, '/home/me/.config/Code/User/workspaceStorage'],
  ['darwin', '/Users/me', {}, '/Users/me/Library/Application Support/Code/User/workspaceStorage'],
  ['win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\Code\\User\\workspaceStorage'],
  ['win32', 'C:\\Users\\me', {}, 'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\workspaceStorage'],
] as const)('on %s with home %s and %o', (system, home, environment, expected) => {
  expect(storageOf({ directory: 'Code' }, { system, home, environment })).toBe(expected);
});

test('VS Code and its kin are known', async () => {
  using tree = tempTree();
  const directories = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor'];
  for (const name of directories)
    remember(tree, `${name}/User/workspaceStorage/1`, { folder: 'file:///srv/app' });
  const found = await readRecentFolders(optionsFor(tree));
  expect(found.map(({ editor }) => editor).toSorted()).toEqual([
    'Cursor',
    'VS Code',
    'VS Code Insiders',
    'VSCodium',
  ]);
});

test('folders are relative, absolute or file URIs; those of other machines are left out', async () => {
  using tree = tempTree();
  const folders = [
    { path: 'app' },
    { path: '../beside' },
    { path: '/srv/data' },
    { uri: 'file:///srv/with%20space' },
    { uri: 'vscode-remote://ssh-remote+box/home/me' },
    { path: 42 },
    'app',
    null,
  ];
  // Comments and trailing commas, as the editor allows them.
  tree.add(`ws/team.code-workspace = { // ours\n"folders": ${JSON.stringify(folders)},\n}`);
  expect(await readWorkspaceFolders(tree.at('ws'), 'team.code-workspace')).toEqual([
    tree.at('ws/app'),
    tree.at('beside'),
    '/srv/data',
    '/srv/with space',
  ]);
});

test.each(['{', '[]', '{"folders": {}}', '{"__proto__": {"folders": [{"path": "x"}]}}'])(
  'a file that says %s names none',
  async (text) => {
    using tree = tempTree([`w = ${text}`]);
    expect(await readWorkspaceFolders(tree.path, 'w')).toEqual([]);
    expect(await readWorkspaceFolders(tree.at('none'), 'w')).toEqual([]);
  },
);
