import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { readWorkspaceFolders } from './recent-workspace.ts';

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
  // Comments and commas at the end, as the editor allows them.
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
