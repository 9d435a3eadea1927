import { expect, test } from 'vitest';
import { devcontainerFolder, findDevcontainerMounts } from './devcontainer.ts';
import type { PathMapping } from './path-map.ts';

const pairs = (mappings: readonly PathMapping[]): readonly (readonly string[])[] =>
  mappings.map(({ client, server }) => [client.path, server.path]);

test.each([
  ['{}', [['/home/me/app', '/workspaces/app']]],
  ['{ "image": "x", /* a comment */ }', [['/home/me/app', '/workspaces/app']]],
  [
    '{ "workspaceMount": "source=${localWorkspaceFolder},target=/src/${localWorkspaceFolderBasename},type=bind" }',
    [['/home/me/app', '/src/app']],
  ],
  ['{ "workspaceMount": "" }', []],
  ['{ "dockerComposeFile": "c.yml" }', []],
  [
    '{ "workspaceMount": "", "mounts": ["type=bind,source=/a,target=/b", { "type": "bind", "source": "/c", "target": "/d" }] }',
    [
      ['/a', '/b'],
      ['/c', '/d'],
    ],
  ],
  [
    '{ "workspaceMount": "", "mounts": ["source=${localEnv:HOME}/.x,target=/x,type=bind", { "type": "volume", "source": "v", "target": "/v" }] }',
    [],
  ],
  ['not JSON', []],
])('P11: %s', (config, mounts) => {
  expect(pairs(findDevcontainerMounts(config, '/home/me/app'))).toStrictEqual(mounts);
});

test('P11: a folder of Windows is mounted by its name', () => {
  expect(pairs(findDevcontainerMounts('{}', 'C:\\code\\app'))).toStrictEqual([
    ['C:\\code\\app', '/workspaces/app'],
  ]);
});

test.each([
  [['devcontainer', 'exec', '--workspace-folder', '/a', 'node'], '/a'],
  [['C:\\npm\\devcontainer.cmd', 'exec', '--workspace-folder=C:\\a', 'node'], 'C:\\a'],
  [['devcontainer', 'up', '--workspace-folder', '/a'], undefined],
  [['devcontainer', 'exec', 'node'], undefined],
  [['node'], undefined],
])('P11: the folder of %j is %j', (command, folder) => {
  expect(devcontainerFolder(command)).toBe(folder);
});
