import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { git } from '../../test/git.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { findProjects, type FindProjectsOptions } from './find-projects.ts';
import type { FindProgress } from './find-progress.ts';
import type { FoundProject } from './found-project.ts';

async function find(directory: string, options: FindProjectsOptions = {}): Promise<readonly FoundProject[]> {
  const found: FoundProject[] = [];
  for await (const project of findProjects(directory, options)) found.push(project);
  return found;
}

async function names(directory: string, options?: FindProjectsOptions): Promise<readonly string[]> {
  return (await find(directory, options)).map(({ name }) => name).toSorted();
}

describe('finds', () => {
  test.each([
    [
      'npm',
      ['package.json = {"name":"top","workspaces":["packages/*"]}', 'packages/a/package.json = {"name":"a"}'],
    ],
    [
      'pnpm',
      [
        'package.json = {"name":"top"}',
        'pnpm-workspace.yaml = packages:\n  - "packages/*"',
        'packages/a/package.json = {"name":"a"}',
      ],
    ],
    [
      'Cargo',
      [
        'Cargo.toml = [package]\nname = "top"\n[workspace]\nmembers = ["crates/*"]',
        'crates/a/Cargo.toml = [package]\nname = "a"',
      ],
    ],
    [
      'Go',
      ['go.work = go 1.22\nuse ./a', 'go.mod = module example.com/top', 'a/go.mod = module example.com/a'],
    ],
    [
      'uv',
      [
        'pyproject.toml = [project]\nname = "top"\n[tool.uv.workspace]\nmembers = ["libs/*"]',
        'libs/a/pyproject.toml = [project]\nname = "a"',
      ],
    ],
    [
      'Maven',
      [
        'pom.xml = <project><artifactId>top</artifactId><modules><module>a</module></modules></project>',
        'a/pom.xml = <project><artifactId>a</artifactId></project>',
      ],
    ],
    [
      'Gradle',
      ['settings.gradle = rootProject.name = "top"\ninclude("a")', 'build.gradle = ', 'a/build.gradle = '],
    ],
  ])('the packages of a monorepo of %s', async (_kind, layout) => {
    using tree = tempTree(layout);
    const found = await find(tree.path);
    expect(found.map(({ name, member }) => [name, member])).toEqual([
      ['top', false],
      ['a', true],
    ]);
    expect(found[1]?.parent).toBe(tree.path);
  });

  test('repositories, manifests and worktrees, and tells which belong together', async () => {
    using tree = tempTree([
      'main/package.json = {"name":"app"}',
      'other/Cargo.toml = [package]\nname = "tool"',
    ]);
    git(tree.at('main'), 'init', '-q');
    git(tree.at('main'), 'add', '.');
    git(tree.at('main'), 'commit', '-qm', 'x');
    git(tree.at('main'), 'worktree', 'add', '-q', tree.at('tree'));
    const found = await find(tree.path);
    const byPlace = new Map(found.map((project) => [project.location, project]));
    expect(byPlace.get(tree.at('main'))?.id).toBe(byPlace.get(tree.at('tree'))?.id);
    expect(byPlace.get(tree.at('other'))?.name).toBe('tool');
  });

  test('names with spaces, unicode and newlines', async () => {
    using tree = tempTree([
      'a b/go.mod = module x/one',
      'ü😀/go.mod = module x/two',
      'new\nline/go.mod = module x/three',
    ]);
    expect(await names(tree.path)).toEqual(['one', 'three', 'two']);
  });

  test('a thousand projects', async () => {
    using tree = tempTree(
      Array.from({ length: 1_000 }, (_, index) => `p${index}/go.mod = module x/m${index}`),
    );
    expect(await find(tree.path)).toHaveLength(1_000);
  });
});

describe('leaves out', () => {
  const layout = [
    'a/package.json = {"name":"a"}',
    'node_modules/x/package.json = {"name":"x"}',
    'made/package.json = {"name":"made"}',
    '.gitignore = made/',
  ];

  test('what was fetched, and what .gitignore leaves out', async () => {
    using tree = tempTree(layout);
    expect(await names(tree.path)).toEqual(['a']);
    expect(await names(tree.path, { gitignore: false })).toEqual(['a', 'made']);
    expect(await names(tree.path, { gitignore: false, prune: [] })).toEqual(['a', 'made', 'x']);
  });

  test('what links lead to, loops among them', async () => {
    using tree = tempTree(['a/package.json = {"name":"a"}', 'a/loop => ..', 'link => a']);
    expect(await names(tree.path)).toEqual(['a']);
  });
});

describe('has bounds', () => {
  test('in depth and in number, and says so', async () => {
    using tree = tempTree(['a/go.mod = module a', 'b/c/go.mod = module c']);
    const shallow = findProjects(tree.path, { depth: 1 });
    const seen: string[] = [];
    for await (const { name } of shallow) seen.push(name);
    expect({ seen, stopped: shallow.stopped }).toEqual({ seen: ['a'], stopped: 'depth' });
    const few = findProjects(tree.path, { projects: 1 });
    for await (const { name } of few) expect(['a', 'c']).toContain(name);
    expect(few.stopped).toBe('projects');
  });

  test('ends when it is aborted', async () => {
    using tree = tempTree(Array.from({ length: 50 }, (_, index) => `p${index}/go.mod = module m`));
    const controller = new AbortController();
    const search = async (): Promise<void> => {
      for await (const project of findProjects(tree.path, { signal: controller.signal })) {
        expect(project.kind).toBe('manifest');
        controller.abort();
      }
    };
    await expect(search()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('tells how far it has come', async () => {
    using tree = tempTree(['a/go.mod = module a', 'b/']);
    const told: FindProgress[] = [];
    await find(tree.path, { onProgress: (progress) => told.push(progress) });
    expect(told.at(-1)).toMatchObject({ projects: 1, directories: 3 });
  });
});

describe('goes on or refuses', () => {
  test('when a directory vanishes on the way', async () => {
    using tree = tempTree(['a/go.mod = module a', 'b/go.mod = module b', 'c/go.mod = module c']);
    const seen: string[] = [];
    for await (const { name } of findProjects(tree.path)) {
      seen.push(name);
      for (const other of ['a', 'b', 'c'].filter((one) => !seen.includes(one))) {
        rmSync(tree.at(other), { recursive: true, force: true });
      }
    }
    expect(seen).toHaveLength(1);
  });

  test('an empty directory has none, and is none', async () => {
    using tree = tempTree();
    expect(await find(tree.path)).toEqual([]);
  });

  test('what is no directory, and a marker that is no name', async () => {
    using tree = tempTree(['f']);
    await expect(find(tree.at('f'))).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
    await expect(find(tree.at('gone'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(() => findProjects(tree.path, { markers: ['a/b'] })).toThrow(
      expect.objectContaining({ code: 'INVALID_PATH' }),
    );
  });
});
