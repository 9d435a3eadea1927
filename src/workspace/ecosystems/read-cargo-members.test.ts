import { expect, test } from 'vitest';
import { compileMembers } from './members.ts';
import { readCargoMembers } from './read-cargo-members.ts';

function membersOf(manifest: unknown, directories: readonly string[]): readonly string[] {
  const { members } = compileMembers(readCargoMembers(manifest), 'posix');
  return directories.filter((directory) => members.has(directory));
}

test('members are paths and globs', () => {
  const manifest = { workspace: { members: ['cli', 'crates/*'] } };
  expect(membersOf(manifest, ['cli', 'crates/a', 'crates/a/b', 'x'])).toEqual(['cli', 'crates/a']);
});

test('an exclusion takes a directory with all that is in it, but not what is named', () => {
  const manifest = { workspace: { members: ['crates/**', 'crates/old/kept'], exclude: ['crates/old'] } };
  const directories = ['crates/a', 'crates/old', 'crates/old/x', 'crates/old/kept', 'crates/older'];
  expect(membersOf(manifest, directories)).toEqual(['crates/a', 'crates/old/kept', 'crates/older']);
});

test('path dependencies of the workspace itself are members', () => {
  const manifest = {
    workspace: {},
    dependencies: { one: { path: 'one' }, serde: '1', outside: { path: '../outside' } },
    'dev-dependencies': { two: { path: './two' } },
    'build-dependencies': { three: { path: 'three', version: '1' } },
  };
  expect(membersOf(manifest, ['one', 'two', 'three', 'serde', 'outside'])).toEqual(['one', 'two', 'three']);
});

test.each([
  { package: { name: 'a' }, dependencies: { one: { path: 'one' } } },
  { workspace: { members: 'one' } },
  { workspace: 1, dependencies: 2 },
  {},
  undefined,
])('%j declares nothing', (manifest) => {
  expect(membersOf(manifest, ['one'])).toEqual([]);
});
