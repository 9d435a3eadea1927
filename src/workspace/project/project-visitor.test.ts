import { describe, expect, test } from 'vitest';
import { findAll } from '../../../test/support/trees/find-all.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { ProjectVisitor, type VisitOptions } from './project-visitor.ts';

/** Which directories of a tree are declared by which, and which are projects without that. */
async function relate(
  entries: readonly string[],
  options: VisitOptions = {},
): Promise<Record<string, string>> {
  using tree = tempTree(entries);
  const found = Object.entries(await findAll(tree.path, options));
  const nameOf = (location: string | undefined): string =>
    location === undefined ? 'nobody' : location.slice(tree.path.length + 1) || '.';
  return Object.fromEntries(
    found.map(([path, { parent, member }]) => [path, `${member ? 'member of' : 'in'} ${nameOf(parent)}`]),
  );
}

describe('packages are members', () => {
  test.each([
    [
      'npm and Yarn',
      [
        'package.json = { "workspaces": ["packages/*", "!packages/x", "tools/one"] }',
        'packages/a/package.json = {}',
        'packages/x/package.json = {}',
        'packages/python/pyproject.toml',
        'tools/one/package.json = {}',
        'tools/two/package.json = {}',
      ],
      {
        'packages/a': 'member of .',
        'packages/x': 'in .',
        'packages/python': 'in .',
        'tools/one': 'member of .',
        'tools/two': 'in .',
      },
    ],
    [
      'Yarn with an object',
      ['package.json = { "workspaces": { "packages": ["packages/**"] } }', 'packages/a/b/package.json = {}'],
      { 'packages/a/b': 'member of .' },
    ],
    [
      'pnpm',
      [
        'package.json = {}',
        'pnpm-workspace.yaml = packages:\n  - "!**/fixtures/**"\n  - "packages/**"\n',
        'packages/a/package.json = {}',
        'packages/a/fixtures/f/package.json = {}',
      ],
      { 'packages/a': 'member of .', 'packages/a/fixtures/f': 'in packages/a' },
    ],
    [
      'Cargo',
      [
        'Cargo.toml = [workspace]\nmembers=["crates/**"]\nexclude=["crates/old"]\n',
        'crates/a/Cargo.toml = [package]\nname="a"\n',
        'crates/deep/b/Cargo.toml = [package]\nname="b"\n',
        'crates/old/Cargo.toml = [package]\nname="old"\n',
      ],
      { 'crates/a': 'member of .', 'crates/deep/b': 'member of .', 'crates/old': 'in .' },
    ],
    [
      'Go',
      [
        'go.work = go 1.22\n\nuse (\n\t./api\n\t./web // the page\n)\n',
        'api/go.mod = module x.example/api',
        'web/go.mod = module x.example/web',
        'other/go.mod = module x.example/other',
      ],
      { api: 'member of .', web: 'member of .', other: 'in .' },
    ],
    [
      'uv',
      [
        'pyproject.toml = [tool.uv.workspace]\nmembers=["packages/*"]\nexclude=["packages/seeds"]\n',
        'packages/a/pyproject.toml = [project]\nname="a"\n',
        'packages/seeds/pyproject.toml = [project]\nname="seeds"\n',
      ],
      { 'packages/a': 'member of .', 'packages/seeds': 'in .' },
    ],
    [
      'Maven, with modules of modules',
      [
        'pom.xml = <project><modules><module>core</module></modules></project>',
        'core/pom.xml = <project><modules><module>api</module></modules></project>',
        'core/api/pom.xml = <project/>',
        'core/stray/pom.xml = <project/>',
      ],
      { core: 'member of .', 'core/api': 'member of core', 'core/stray': 'in core' },
    ],
    [
      'Gradle, as a best effort',
      [
        'settings.gradle.kts = include(":app", ":lib:core")\n',
        'app/build.gradle.kts',
        'lib/core/build.gradle.kts',
        'buildSrc/build.gradle.kts',
      ],
      { app: 'member of .', 'lib/core': 'member of .', buildSrc: 'in .' },
    ],
    [
      'Deno',
      ['deno.json = { "workspace": ["./add"] }', 'add/deno.json = {}', 'sub/deno.json = {}'],
      { add: 'member of .', sub: 'in .' },
    ],
    [
      'VS Code, whatever they are',
      [
        'team.code-workspace = { "folders": [{ "path": "web" }, { "path": "../x" }, { "path": "docs" }], }',
        'web/package.json = {}',
        'other/go.mod',
        'docs/readme.md',
      ],
      { web: 'member of .', other: 'in .' },
    ],
  ])('of %s', async (_kind, entries, expected) => {
    expect(await relate(entries)).toEqual({ '.': 'in nobody', ...expected });
  });

  test('of a repository that lies deep, and not of its neighbour', async () => {
    const found = await relate([
      'work/app/.git/HEAD',
      'work/app/package.json = { "workspaces": ["a"] }',
      'work/app/a/package.json = {}',
      'work/app-2/package.json = {}',
      'work/app-2/a/package.json = {}',
    ]);
    expect(found).toEqual({
      'work/app': 'in nobody',
      'work/app/a': 'member of work/app',
      'work/app-2': 'in nobody',
      'work/app-2/a': 'in work/app-2',
    });
  });

  test('also where they are repositories of their own', async () => {
    const found = await relate([
      '.git/HEAD',
      'package.json = { "workspaces": ["packages/*"] }',
      'packages/sub/.git = gitdir: nowhere',
      'packages/sub/package.json = {}',
    ]);
    expect(found).toEqual({ '.': 'in nobody', 'packages/sub': 'member of .' });
  });
});

describe('a declaration that is malformed', () => {
  test.each([
    ['package.json', '{ "workspaces": ["a"'],
    ['pnpm-workspace.yaml', 'packages: [a'],
    ['Cargo.toml', '[workspace\nmembers'],
    ['pyproject.toml', '[tool.uv.workspace]\nmembers=[1,\n'],
    ['pom.xml', '<project><modules></project>'],
    ['team.code-workspace', '{ "folders": '],
  ])('is an issue of %s, reported once, and does not end the search', async (file, content) => {
    using tree = tempTree([`${file} = ${content}`, 'a/package.json = { "name": "a" }']);
    const issues: string[] = [];
    const found = await findAll(tree.path, { onIssue: (issue) => issues.push(issue) });
    expect(Object.keys(found)).toEqual(['.', 'a']);
    expect(issues).toEqual([expect.stringMatching(`^Cannot read "${file}": .*(line|end|it)`)]);
  });

  test('is named by its path from the start of the search', async () => {
    using tree = tempTree(['x/y/package.json = {']);
    const issues: string[] = [];
    await findAll(tree.path, { onIssue: (issue) => issues.push(issue) });
    expect(issues).toEqual([expect.stringContaining('Cannot read "x/y/package.json": ')]);
  });

  test.each([
    ['{ "workspaces": { "packages": 7 } }', 0],
    ['{ "workspaces": 7 }', 0],
    ['{ "workspaces": ["@(a|b)", "a"] }', 1],
    ['[]', 0],
    ['null', 0],
  ])('in its meaning alone, such as %s, breaks nothing', async (content, count) => {
    using tree = tempTree([`package.json = ${content}`, 'a/package.json = { "name": "a" }']);
    const issues: string[] = [];
    const found = await findAll(tree.path, { onIssue: (issue) => issues.push(issue) });
    expect(Object.keys(found)).toEqual(['.', 'a']);
    expect(issues).toHaveLength(count);
  });
});

test('a directory without markers is not a project', async () => {
  using tree = tempTree(['a/']);
  await using boundary = await openBoundary(tree.path);
  const visitor = await ProjectVisitor.start(boundary, {});
  expect(await visitor.visit('', [])).toBeUndefined();
  expect(await visitor.visit('a/', [{ name: 'Makefile', kind: 'directory' }])).toBeUndefined();
});

test('a marker of the product wins, and is named first', async () => {
  using tree = tempTree(['.git/HEAD', '.blue/', 'package.json = { "name": "a" }', 'sub/.blue/']);
  const found = await findAll(tree.path, { markers: ['.blue'] });
  expect(found['.']).toMatchObject({ kind: 'marker', name: 'a', markers: ['.blue', '.git', 'package.json'] });
  expect(found['sub']).toMatchObject({ kind: 'marker', name: 'sub', parent: tree.path });
});
