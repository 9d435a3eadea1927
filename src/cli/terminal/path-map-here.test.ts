import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { pathMapHere } from './path-map-here.ts';

const here = { process: { env: {} } } as Parameters<typeof pathMapHere>[0];

test('names come from --map, and from the configuration of a development container', async () => {
  using tree = tempTree(['app/.devcontainer/devcontainer.json = { "image": "x" }']);
  const command = ['devcontainer', 'exec', '--workspace-folder', tree.at('app'), 'node'];
  const { mappings } = await pathMapHere(here, ['/a=/b'], command);
  expect(mappings.map(({ client, server }) => [client.path, server.path])).toEqual([
    ['/a', '/b'],
    [tree.at('app'), '/workspaces/app'],
  ]);
});

test('a container without a configuration has no other names, and a bad --map is refused', async () => {
  using tree = tempTree(['app/']);
  const command = ['devcontainer', 'exec', '--workspace-folder', tree.at('app'), 'node'];
  expect((await pathMapHere(here, [], command)).mappings).toEqual([]);
  await expect(pathMapHere(here, ['a=b'], command)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
});
