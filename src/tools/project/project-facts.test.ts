import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readOnce } from '../../workspace/ecosystems/manifest/read-manifest.ts';
import { type ProjectFacts, readFacts } from './project-facts.ts';

async function facts(files: Readonly<Record<string, string>>): Promise<ProjectFacts> {
  using tree = tempTree(Object.entries(files).map(([name, text]) => `${name} = ${text}`));
  await using boundary = await openBoundary(tree.path);
  return await readFacts(Object.keys(files), readOnce(boundary));
}

test('reads a Node package', async () => {
  const manifest = {
    version: '1.2.3',
    description: 'Does\n things',
    engines: { node: '>=20' },
    bin: { tool: './cli.js' },
    exports: { '.': { import: './a.js', require: null }, './b': './b.js' },
    scripts: { test: 'vitest run', odd: 3 },
  };
  expect(await facts({ 'package.json': JSON.stringify(manifest) })).toEqual({
    version: '1.2.3',
    description: 'Does things',
    requires: { node: '>=20' },
    entryPoints: ['tool → ./cli.js', '. (import) → ./a.js', './b → ./b.js'],
    scripts: { test: 'vitest run' },
  });
});

test('reads a crate', async () => {
  const text =
    '[package]\nversion = "0.1.0"\nedition = "2021"\n[[bin]]\nname = "x"\n[[bin]]\nname = "y"\npath = "y.rs"';
  expect(await facts({ 'Cargo.toml': text })).toMatchObject({
    version: '0.1.0',
    requires: { 'rust edition': '2021' },
    entryPoints: ['x → src/bin/x.rs', 'y → y.rs'],
  });
});

test('reads a Python project', async () => {
  const text = '[project]\nversion = "2"\nrequires-python = ">=3.12"\n[project.scripts]\nrun = "app:main"';
  expect(await facts({ 'pyproject.toml': text, 'main.py': '' })).toMatchObject({
    version: '2',
    requires: { python: '>=3.12' },
    entryPoints: ['run → app:main', 'main.py'],
  });
});

test('reads Maven, Deno and Composer projects', async () => {
  const pom = '<project><parent><version>3</version></parent><version>${revision}</version></project>';
  expect((await facts({ 'pom.xml': pom })).version).toBe('3');
  const deno = '{"tasks": {"dev": {"command": "deno run x"}, "b": "deno test"}}';
  expect((await facts({ 'deno.json': deno })).scripts).toEqual({ dev: 'deno run x', b: 'deno test' });
  const composer = '{"scripts": {"test": ["a", "b"]}, "require": {"php": "^8"}}';
  expect(await facts({ 'composer.json': composer })).toMatchObject({
    scripts: { test: 'a && b' },
    requires: { php: '^8' },
  });
});

test('ignores malformed manifests', async () => {
  const odd = { version: { a: 1 }, scripts: 'x', bin: [[[]]], exports: null, description: '', engines: [] };
  const nothing = { requires: {}, entryPoints: [], scripts: {} };
  expect(await facts({ 'package.json': JSON.stringify(odd) })).toEqual(nothing);
  expect(await facts({ 'package.json': '{' })).toEqual(nothing);
  const deep = `{"exports": ${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
  expect(await facts({ 'package.json': deep })).toEqual(nothing);
});
