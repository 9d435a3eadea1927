import { expect, test } from 'vitest';
import { detectMappings, type MappingFacts } from './detect-mappings.ts';

const texts: Readonly<Record<string, string>> = {
  '/a/.devcontainer.json': '{}',
  '/b/.devcontainer/devcontainer.json': '{ "workspaceMount": "type=bind,source=/b,target=/src" }',
  '/b/.devcontainer.json': '{}',
};
const mounts = '70 62 0:47 / /win/c rw - 9p C: rw,aname=drvfs;path=C:\\134;uid=0';

async function found(command: string, environment: MappingFacts['environment'] = {}): Promise<unknown> {
  const mappings = await detectMappings({
    command: command.split(' '),
    environment,
    readText: async (file) => texts[file],
    readMounts: async () => mounts,
  });
  return mappings.map(({ client, server }) => [client.path, server.path]);
}

test.each([
  ['docker run -v /a:/b image', [['/a', '/b']]],
  ['devcontainer exec --workspace-folder /a node', [['/a', '/workspaces/a']]],
  ['devcontainer exec --workspace-folder /b node', [['/b', '/src']]],
  ['devcontainer exec --workspace-folder /c node', []],
  ['devcontainer exec --workspace-folder . node', []],
  ['wsl.exe -d Ubuntu node', [['\\\\wsl.localhost\\Ubuntu\\', '/']]],
  ['wsl.exe node', []],
  ['node.exe server.js', []],
])('P11, P8: %s shares %j', async (command, mappings) => {
  expect(await found(command)).toStrictEqual(mappings);
});

test('P9: a program of Windows that is started in a distribution has drives and a share', async () => {
  const environment = { WSL_DISTRO_NAME: 'Ubuntu' };
  expect(await found('/win/c/node.exe server.js', environment)).toStrictEqual([
    ['/win/c', 'C:\\'],
    ['/', '\\\\wsl.localhost\\Ubuntu\\'],
  ]);
  expect(await found('node server.js', environment)).toStrictEqual([]);
});
