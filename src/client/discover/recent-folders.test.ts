import { utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHandles } from '../../../test/open-handles.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { readRecentFolders, type RecentOptions } from './recent-folders.ts';

function optionsFor(tree: TempTree): RecentOptions {
  return { system: 'linux', home: tree.path, environment: {} };
}

function remember(tree: TempTree, entry: string, value: object): void {
  tree.add(`.config/${entry}/workspace.json = ${JSON.stringify(value)}`);
}

test('reads what every editor had open, the latest use first', async () => {
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

test('a workspace that was open is all of its folders', async () => {
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

test('folders of other machines, and what cannot be read, are passed over', async () => {
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

test('nothing outside of what editors keep is read, although a link in it leads there', async () => {
  using tree = tempTree(['elsewhere/workspace.json = {"folder":"file:///secret"}']);
  remember(tree, 'Code/User/workspaceStorage/ok', { folder: 'file:///ok' });
  tree.add(
    '.config/Code/User/workspaceStorage/link => $TREE/elsewhere',
    '.config/Code/User/workspaceStorage/in/workspace.json => $TREE/elsewhere/workspace.json',
  );
  expect((await readRecentFolders(optionsFor(tree))).map(({ path }) => path)).toEqual(['/ok']);
});

test('no more than it may, and nothing for who left', async () => {
  using tree = tempTree();
  for (const name of ['a', 'b', 'c'])
    remember(tree, `Code/User/workspaceStorage/${name}`, { folder: `file:///${name}` });
  expect(await readRecentFolders({ ...optionsFor(tree), folders: 2 })).toHaveLength(2);
  await expect(readRecentFolders({ ...optionsFor(tree), signal: AbortSignal.abort() })).rejects.toThrow(
    /abort/i,
  );
  expect(openHandles(tree.path)).toEqual([]);
});
