import { expect, test } from 'vitest';
import { findCommands } from '../../../test/find-commands.ts';
import { cargo } from './rust.ts';

test('a library, a program, a workspace', async () => {
  const crate = '[package]\nname = "x"\n';
  expect(await findCommands(cargo, { 'Cargo.toml': crate })).toEqual([
    'build: cargo build',
    'test: cargo test',
    'lint: cargo clippy --all-targets',
    'format: cargo fmt',
  ]);
  expect(await findCommands(cargo, { 'Cargo.toml': crate, 'src/main.rs': '' })).toContain('run: cargo run');
  expect(await findCommands(cargo, { 'Cargo.toml': `${crate}[[bin]]\nname = "y"\n` })).toContain(
    'run: cargo run',
  );
  const workspace = await findCommands(cargo, { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n' });
  expect(workspace).toContain('test: cargo test --workspace');
  expect(workspace).not.toContain('run: cargo run');
  expect(await findCommands(cargo, {})).toEqual([]);
});
