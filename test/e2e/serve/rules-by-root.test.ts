import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree, type TempTree } from '../../../src/testing/index.ts';
import { speakHere, type Spoken, type SpeakOptions } from '../../support/processes/speak.ts';

/*
 * Rules for one root go by its name or by its path. A name that two roots have, or that none has, must not leave a
 * root without the rules that were written for it, nor give one the rights of another.
 */

const entries = ['a/app/secret.txt = one', 'b/app/secret.txt = two', 'c/app/secret.txt = three', 'a/docs/x'];

/** The server with these rules, and the directories in a file of settings. */
async function serveWith(
  tree: TempTree,
  policy: object,
  { directories = ['a/app', 'b/app'], ...options }: SpeakOptions & { directories?: readonly string[] } = {},
): Promise<Spoken> {
  const config = tree.at('settings.json');
  const named = directories.length === 0 ? {} : { directories: directories.map((name) => tree.at(name)) };
  writeFileSync(config, JSON.stringify({ ...named, policy }));
  return speakHere({ ...options, args: ['--config', config] });
}

async function can(server: Spoken, tool: 'read_text_file' | 'write_file', path: string): Promise<boolean> {
  const input = tool === 'write_file' ? { path, content: 'written' } : { path };
  return !(await server.call(tool, input)).refused;
}

test('what is denied by a name that two roots have is denied in both, and the start says so', async () => {
  using tree = tempTree(entries);
  await using server = await serveWith(tree, { roots: { app: { deny: ['secret.txt'] } } });
  for (const root of ['a', 'b'])
    expect(await can(server, 'read_text_file', tree.at(root, 'app/secret.txt'))).toBe(false);
  expect(server.wire.stderr()).toMatch(/Warning: 2 roots are called "app".*write the path/);
});

test('what is permitted by such a name is permitted in neither, and by a path in that one', async () => {
  using tree = tempTree(entries);
  const writable = { allow: ['read', 'list', 'write'] };
  await using byName = await serveWith(tree, { preset: 'read-only', roots: { app: writable } });
  for (const root of ['a', 'b'])
    expect(await can(byName, 'write_file', tree.at(root, 'app/new'))).toBe(false);
  const roots = { [tree.at('b/app/')]: writable, [`file://${tree.at('a/app')}`]: { deny: ['secret.txt'] } };
  await using byPath = await serveWith(tree, { preset: 'read-only', roots });
  expect(await can(byPath, 'write_file', tree.at('b/app/new'))).toBe(true);
  expect(await can(byPath, 'write_file', tree.at('a/app/new'))).toBe(false);
  expect(await can(byPath, 'read_text_file', tree.at('a/app/secret.txt'))).toBe(false);
  expect(await can(byPath, 'read_text_file', tree.at('b/app/secret.txt'))).toBe(true);
  expect(byPath.wire.stderr()).not.toContain('Warning');
});

test('rules that fit no root are said at the start, by name and by path', async () => {
  using tree = tempTree(entries);
  const roots = { dcos: { deny: ['x'] }, [tree.at('a/gone')]: { deny: ['x'] }, docs: { deny: ['x'] } };
  await using server = await serveWith(tree, { roots }, { directories: ['a/docs'] });
  expect(await can(server, 'read_text_file', tree.at('a/docs/x'))).toBe(false);
  expect(server.wire.stderr()).toContain('Warning: the rules for "dcos" fit no root');
  expect(server.wire.stderr()).toContain('a/gone" fit no root');
  expect(server.wire.stderr()).not.toContain('"docs"');
});

test('roots of a client that have one name keep its denials, and why tells it', async () => {
  using tree = tempTree(entries);
  const roots = ['a/app', 'b/app'].map((name) => `file://${tree.at(name)}`);
  const policy = { roots: { app: { deny: ['secret.txt'] }, none: { deny: ['x'] } } };
  await using server = await serveWith(tree, policy, { directories: [], roots });
  for (const root of ['a', 'b'])
    expect(await can(server, 'read_text_file', tree.at(root, 'app/secret.txt'))).toBe(false);
  const { text } = await server.call('why');
  expect(text).toMatch(/2 roots are called "app"/);
  expect(text).toMatch(/the rules for "none" fit no root/);
});

test('a client takes neither the name nor the path of a rule for a root of its own', async () => {
  using tree = tempTree([...entries, 'd/app-2/secret.txt']);
  const writable = { allow: ['read', 'list', 'write'] };
  const policy = { preset: 'read-only', roots: { [tree.at('b/app')]: writable } };
  const roots = [`file://${tree.at('d/app-2')}`, `file://${tree.at('c/app')}`];
  await using server = await serveWith(tree, policy, { roots });
  expect(await can(server, 'write_file', tree.at('b/app/new'))).toBe(true);
  for (const path of ['d/app-2/new', 'c/app/new', 'a/app/new'])
    expect({ path, can: await can(server, 'write_file', tree.at(path)) }).toEqual({ path, can: false });
});
