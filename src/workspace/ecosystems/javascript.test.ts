import { describe, expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { deno, node, readDenoMembers, readNodeMembers, readPnpmMembers } from './javascript.ts';

const manifest = JSON.stringify({
  scripts: { test: 'vitest', 'build:all': 'tsc', pretest: 'x', preview: 'vite', odd: 1 },
});

test.each([
  [
    'package-lock.json',
    ['install: npm ci', 'test: npm test', 'build: npm run build:all', 'run: npm run preview'],
  ],
  [
    'pnpm-lock.yaml',
    ['install: pnpm install', 'test: pnpm test', 'build: pnpm run build:all', 'run: pnpm run preview'],
  ],
  [
    'yarn.lock',
    ['install: yarn install', 'test: yarn test', 'build: yarn run build:all', 'run: yarn run preview'],
  ],
  [
    'bun.lock',
    ['install: bun install', 'test: bun run test', 'build: bun run build:all', 'run: bun run preview'],
  ],
  ['nothing', ['install: npm install', 'test: npm test', 'build: npm run build:all', 'run: npm run preview']],
])('with %s', async (lock, commands) => {
  expect(await findCommands(node, { 'package.json': manifest, [lock]: '' })).toEqual(commands);
});

test('a package of a monorepo has the manager of the whole', async () => {
  expect(await findCommands(node, { 'package.json': '{}' }, ['pnpm-lock.yaml'])).toEqual([
    'install: pnpm install',
  ]);
});

test('what the manifest says goes before lock files', async () => {
  const files = { 'package.json': '{"packageManager":"yarn@4.1.0"}', 'package-lock.json': '' };
  expect(await findCommands(node, files)).toEqual(['install: yarn install']);
});

test('names of scripts cannot smuggle commands', async () => {
  const files = { 'package.json': '{"scripts":{"build; rm -rf /":"x"}}' };
  expect(await findCommands(node, files)).toContain(`other: npm run 'build; rm -rf /'`);
});

test('without a manifest that can be read there is nothing', async () => {
  expect(await findCommands(node, {})).toEqual([]);
  expect(await findCommands(node, { 'package.json': '{' })).toEqual([]);
  expect(await findCommands(node, { 'package.json': 'null' })).toEqual([]);
});

test('tasks, and what Deno brings itself', async () => {
  const files = {
    'deno.jsonc': '{ /* x */ "tasks": { "test": "deno test -A", "dev": { "command": "deno run x" } } }',
  };
  expect(await findCommands(deno, files)).toEqual([
    'test: deno task test',
    'run: deno task dev',
    'lint: deno lint',
    'format: deno fmt',
  ]);
  expect(await findCommands(deno, {})).toEqual([]);
});

const yes = (pattern: string) => ({ pattern, except: false });
const no = (pattern: string) => ({ pattern, except: true });

describe('package.json declares', () => {
  test.each([
    [
      { workspaces: ['packages/*', '!packages/x', 'tools'] },
      [yes('packages/*'), no('packages/x'), yes('tools')],
    ],
    [{ workspaces: { packages: ['packages/*'], nohoist: ['**'] } }, [yes('packages/*')]],
    [{ workspaces: ['a', 1, null] }, [yes('a')]],
    [{ workspaces: 'packages/*' }, []],
    [{ workspaces: { packages: 'a' } }, []],
    [{ name: 'app' }, []],
    [[], []],
    [null, []],
  ])('%j', (manifest, expected) => {
    expect(readNodeMembers(manifest)).toEqual(expected);
  });
});

test('exceptions of pnpm hold wherever they stand', () => {
  const manifest = { packages: ['!**/test/**', 'packages/*', 'apps/*'] };
  expect(readPnpmMembers(manifest)).toEqual([yes('packages/*'), yes('apps/*'), no('**/test/**')]);
  expect(readPnpmMembers({ catalog: {} })).toEqual([]);
  expect(readPnpmMembers(null)).toEqual([]);
});

test('Deno knows a list and an object', () => {
  expect(readDenoMembers({ workspace: ['./add'] })).toEqual([yes('./add')]);
  expect(readDenoMembers({ workspace: { members: ['./add'] } })).toEqual([yes('./add')]);
  expect(readDenoMembers({})).toEqual([]);
});

test('npm ci needs a lock file', async () => {
  const manifest = '{"packageManager":"npm@10.9.0"}';
  expect(await findCommands(node, { 'package.json': manifest })).toEqual(['install: npm install']);
  expect(await findCommands(node, { 'package.json': '{}' })).toEqual(['install: npm install']);
  const locked = { 'package.json': manifest, 'package-lock.json': '{}' };
  expect(await findCommands(node, locked)).toEqual(['install: npm ci']);
  expect(await findCommands(node, { 'package.json': manifest }, ['package-lock.json'])).toEqual([
    'install: npm ci',
  ]);
});
