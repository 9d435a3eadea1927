import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { speakHere, type Spoken } from '../../support/processes/speak.ts';

/* To say which project this is, a server looks at directories and manifests. Rules hold for that, too. */

const layout = [
  'app/private/x/package.json = {"name":"SEALED"}',
  'app/part/package.json = {"name":"SEALED"}',
  'app/open/go.mod = module told',
  'app/linked => private/x',
] as const;

async function serve(tree: { at: (...names: string[]) => string }, policy: object): Promise<Spoken> {
  writeFileSync(tree.at('settings.json'), JSON.stringify({ policy }), { mode: 0o600 });
  return speakHere({ args: [tree.at('app'), '--config', tree.at('settings.json')] });
}

/** Every way to have a project told, with what is said of it. */
async function tellAll(server: Spoken, place: string): Promise<readonly string[]> {
  const said: string[] = [];
  for (const tool of ['why', 'list_roots']) said.push((await server.call(tool, { cwd: place })).text);
  said.push((await server.call('switch_project', { project: place })).text);
  return said;
}

test('a place that a rule denies is not a project, and nothing reveals whether it exists', async () => {
  using tree = tempTree(layout);
  await using server = await serve(tree, { allow: ['read', 'list'], deny: ['private'] });
  const shown = async (place: string): Promise<readonly string[]> =>
    (await tellAll(server, tree.at('app', place))).map((text) => text.replaceAll(tree.at('app', place), '…'));
  const nothing = await shown('private/none');
  expect(nothing).toEqual(nothing.map(() => expect.stringContaining('it does not exist') as unknown));
  for (const place of ['private', 'private/x', 'private/x/package.json', 'linked'])
    expect({ place, said: await shown(place) }).toEqual({ place, said: nothing });
  expect(await shown('open')).toEqual(nothing.map(() => expect.stringContaining('told') as unknown));
});

test.each([
  ['a rule denies', { allow: ['read', 'list'], deny: ['**/package.json'] }],
  ['must not be read', { allow: ['list', 'write'] }],
  ['a person has to be asked about', { allow: ['list'], ask: ['read'] }],
])('a manifest that %s tells no name', async (_, policy) => {
  using tree = tempTree(layout);
  await using server = await serve(tree, policy);
  for (const text of await tellAll(server, tree.at('app/part'))) {
    expect(text).toMatch(/^Project: part /m);
    expect(text).not.toContain('SEALED');
  }
});

test('a link out of the roots marks no project, whether or not it leads anywhere', async () => {
  using tree = tempTree([
    'app/there/package.json => ../../outside/file',
    'app/there/.git => ../../outside/git',
    'app/gone/package.json => ../../outside/none',
    'app/gone/.git => ../../outside/no',
    'outside/file',
    'outside/git/',
  ]);
  const shown = async (name: string): Promise<readonly string[]> => {
    await using server = await serve(tree, { allow: ['read', 'list'] });
    const path = tree.at('app', name);
    const said = [(await server.call('project_info', { path })).text, ...(await tellAll(server, path))];
    said.push(JSON.stringify(await server.player.request('resources/read', { uri: 'rootward://project' })));
    return said.map((text) => text.replaceAll(name, '…').replaceAll(/…-[0-9a-f]{16}|"id":\d+/g, 'id'));
  };
  expect(await shown('there')).toEqual(await shown('gone'));
});
