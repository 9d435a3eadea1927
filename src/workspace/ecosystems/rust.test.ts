import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { compileMembers } from './record/members.ts';
import { readCargoMembers, rust } from './rust.ts';

test('a library, a program, a workspace', async () => {
  const crate = '[package]\nname = "x"\n';
  expect(await findCommands(rust, { 'Cargo.toml': crate })).toEqual([
    'build: cargo build',
    'test: cargo test',
    'lint: cargo clippy --all-targets',
    'format: cargo fmt',
  ]);
  expect(await findCommands(rust, { 'Cargo.toml': crate, 'src/main.rs': '' })).toContain('run: cargo run');
  expect(await findCommands(rust, { 'Cargo.toml': `${crate}[[bin]]\nname = "y"\n` })).toContain(
    'run: cargo run',
  );
  const several = await findCommands(rust, {
    'Cargo.toml': `${crate}[[bin]]\nname = "tool"\npath = "src/bin/other.rs"\n`,
    'src/main.rs': '',
    'src/bin/other.rs': '',
    'src/bin/y.rs': '',
    'src/bin/z/main.rs': '',
  });
  const runs = (commands: readonly string[]) => commands.filter((line) => line.startsWith('run: '));
  const names = ['tool', 'x', 'y', 'z'];
  expect(runs(several)).toEqual(names.map((name) => `run: cargo run --bin ${name}`));
  const chosen = { 'Cargo.toml': `${crate}default-run = "x"\n`, 'src/main.rs': '', 'src/bin/y.rs': '' };
  expect(runs(await findCommands(rust, chosen))).toEqual([
    'run: cargo run',
    'run: cargo run --bin x',
    'run: cargo run --bin y',
  ]);
  const workspace = await findCommands(rust, { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n' });
  expect(workspace).toContain('test: cargo test --workspace');
  expect(workspace).not.toContain('run: cargo run');
  expect(await findCommands(rust, {})).toEqual([]);
});

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
