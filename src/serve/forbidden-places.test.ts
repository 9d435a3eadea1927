import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDirectories } from '../config/own-directory.ts';
import { isInside } from '../path/inside.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { makeOwnDirectories, forbiddenPlaces, programPlaces, warnOfOwnPlaces } from './forbidden-places.ts';

const quiet = { write: () => undefined };

function contextOf(env: Readonly<Record<string, string>>, write: (text: string) => void = () => undefined) {
  return { process: { stdout: quiet, stderr: { write }, env }, cwd: '/' };
}

function placesOf(env: Readonly<Record<string, string>>): readonly string[] {
  return forbiddenPlaces(contextOf(env), { ownFiles: [{ path: '/etc/rw.json', flag: '--config' }] });
}

test('includes ROOTWARD_HOME, the store file, also behind a link, and given places', () => {
  const expected = ['/srv/rw', join('/srv/rw', 'roots.jsonc'), '/etc/rw.json'];
  expect(placesOf({ ROOTWARD_HOME: '/srv/rw' })).toEqual(expected);
});

test('without ROOTWARD_HOME it covers every Rootward directory of the user', () => {
  const places = placesOf({});
  for (const directory of Object.values(findDirectories({})) as string[])
    expect(places.some((place) => isInside(place, directory))).toBe(true);
});

test('creates our directories, and ignores failures', async () => {
  using tree = tempTree(['file']);
  await makeOwnDirectories(contextOf({ ROOTWARD_HOME: tree.at('new/home') }));
  expect(existsSync(tree.at('new/home'))).toBe(true);
  await makeOwnDirectories(contextOf({ ROOTWARD_HOME: tree.at('file/home') }));
});

const manifest = JSON.stringify({ name: 'rootward', exports: { './package.json': './package.json' } });

test('the program includes its code, manifest and dependencies, and an installed package all its siblings', async () => {
  using tree = tempTree([
    `clone/package.json = ${manifest}`,
    'clone/dist/cli/own-places.js',
    'clone/node_modules/zod/',
    `app/node_modules/.pnpm/rootward@1/node_modules/rootward/package.json = ${manifest}`,
    'app/node_modules/.pnpm/rootward@1/node_modules/rootward/dist/cli/own-places.js',
  ]);
  const inTree = async (file: string): Promise<readonly string[]> =>
    (await programPlaces(tree.at(file))).filter((path) => isInside(tree.path, path)).toSorted();
  expect(await inTree('clone/dist/cli/own-places.js')).toEqual(
    ['dist', 'node_modules', 'package.json'].map((name) => tree.at('clone', name)),
  );
  expect(
    await inTree('app/node_modules/.pnpm/rootward@1/node_modules/rootward/dist/cli/own-places.js'),
  ).toEqual([tree.at('app/node_modules')]);
});

test('reports served places with their origin, and nothing else', async () => {
  using tree = tempTree(['app/', 'link => app']);
  const lines: string[] = [];
  const context = contextOf({ ROOTWARD_HOME: tree.at('home') }, (line) => lines.push(line));
  const ownFiles = [
    { path: tree.at('link/conf.json'), flag: '--config' },
    { path: tree.at('else/token'), flag: '--token-file' },
  ];
  const settings = { ownFiles, settingOrigins: { '--config': 'ROOTWARD_CONFIG' } };
  await warnOfOwnPlaces(context, settings, [tree.at('app')]);
  expect(lines).toEqual([
    `rootward: a served directory holds these, and no client can reach them: "${tree.at('link/conf.json')}" (ROOTWARD_CONFIG)\n`,
  ]);
  await warnOfOwnPlaces(context, settings, []);
  expect(lines).toHaveLength(1);
});
