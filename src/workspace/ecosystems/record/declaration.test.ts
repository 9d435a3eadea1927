import { expect, test } from 'vitest';
import { openBoundary } from '../../../boundary/open-boundary.ts';
import { tempTree } from '../../../testing/temp-tree.ts';
import { readOnce } from '../manifest/read-manifest.ts';
import { matchMarker } from '../markers.ts';
import { type Declaration, declareByText, texts } from './declaration.ts';

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
  '*.sln': 'Project("{1}") = "Core", "core\\Core.csproj", "{2}"\n',
  '*.slnx': '<Solution><Project Path="core/Core.csproj" /></Solution>',
  '*.code-workspace': '{ "folders": [{ "path": "core" }] }',
};

test.each(Object.entries(files))('%s declares its packages', async (file, text) => {
  expect(await declaredIn(file.replace('*', 'team'), text)).toMatchObject({
    rules: expect.arrayContaining([expect.objectContaining({ pattern: 'core' })]),
  });
});

test.each([
  'package.json',
  'pnpm-workspace.yaml',
  'Cargo.toml',
  'pyproject.toml',
  'pom.xml',
  'team.code-workspace',
])('a malformed %s is an issue that names the file', async (file) => {
  expect(await declaredIn(file, '{ [ <')).toEqual({
    issue: expect.stringContaining(`Cannot read "${file}": `),
  });
});

async function declaredIn(file: string, text: string): Promise<Awaited<ReturnType<Declaration>> | undefined> {
  using tree = tempTree([`${file} = ${text}`]);
  await using boundary = await openBoundary(tree.path);
  return await matchMarker(file)?.members?.(readOnce(boundary), file, tree.path);
}

test('a text that holds the reader too long is an issue', async () => {
  const declaration = declareByText(() => {
    for (;;);
  });
  const reading = await declaration(async () => ({ value: 'x'.repeat(5_000) }) as never, 'go.work', '/app');
  expect(reading).toEqual({ issue: 'Cannot read "go.work": it takes too long to parse' });
});

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [['a', 1, null, ['b'], { c: 'd' }], ['a']],
  ['a', []],
  [{ 0: 'a', length: 1 }, []],
  [undefined, []],
])('%j holds the texts %j', (value, expected) => {
  expect(texts(value)).toEqual(expected);
});
