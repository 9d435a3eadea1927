import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { declarations } from './declarations.ts';
import { markers } from './markers.ts';
import { readOnce } from './read-manifest.ts';

test('every file that declares packages is a marker', () => {
  const files = new Set(markers.map(({ file }) => file));
  expect(Object.keys(declarations).filter((file) => !files.has(file))).toEqual([]);
});

/** One file of every kind, each of which declares the directory `core`. */
const files: Readonly<Record<string, string>> = {
  'package.json': '{ "workspaces": ["core"] }',
  'pnpm-workspace.yaml': 'packages:\n  - core\n',
  'deno.json': '{ "workspace": ["core"] }',
  'deno.jsonc': '{ "workspace": ["core"], /* and a comment */ }',
  'Cargo.toml': '[workspace]\nmembers=["core"]\n',
  'pyproject.toml': '[tool.uv.workspace]\nmembers=["core"]\n',
  'go.work': 'use core\n',
  'pom.xml': '<project><modules><module>core</module></modules></project>',
  'settings.gradle': "include 'core'\n",
  'settings.gradle.kts': 'include("core")\n',
  '*.code-workspace': '{ "folders": [{ "path": "core" }] }',
};

test.each(Object.entries(declarations))('%s declares its packages', async (file, declaration) => {
  const name = file.replace('*', 'team');
  using tree = tempTree([`${name} = ${files[file]}`]);
  await using boundary = await openBoundary(tree.path);
  const reading = await declaration(readOnce(boundary), name, tree.path);
  expect(reading).toMatchObject({
    rules: expect.arrayContaining([expect.objectContaining({ pattern: 'core' })]),
  });
});

test.each([
  'package.json',
  'pnpm-workspace.yaml',
  'Cargo.toml',
  'pyproject.toml',
  'pom.xml',
  '*.code-workspace',
])('a malformed %s is an issue that names the file', async (file) => {
  const name = file.replace('*', 'team');
  using tree = tempTree([`${name} = { [ <`]);
  await using boundary = await openBoundary(tree.path);
  const reading = await declarations[file]?.(readOnce(boundary), name, tree.path);
  expect(reading).toEqual({ issue: expect.stringContaining(`Cannot read "${name}": `) });
});
