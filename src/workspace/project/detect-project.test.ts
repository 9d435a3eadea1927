import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRepository, git } from '../../../test/support/trees/git.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import {
  climb,
  type ClimbOptions,
  detectProject,
  type DetectProjectOptions,
  findStart,
  spellAbove,
} from './detect-project.ts';
import type { Project } from './project.ts';

/** A directory above the one of the test is never looked at, whatever lies in the temporary directory. */
function detect(
  tree: { at(...names: string[]): string },
  path: string,
  options: DetectProjectOptions = {},
): Promise<Project | undefined> {
  return detectProject(tree.at(path), { stopAt: tree.at('.'), ...options });
}

describe('the project of a path', () => {
  test('is the repository around it, named by its manifest', async () => {
    using tree = tempTree(['app/src/deep/a.ts', 'app/package.json = {"name":"@x/app"}', 'app/Makefile']);
    createRepository(tree.at('app'));
    const project = {
      name: '@x/app',
      location: tree.at('app'),
      id: expect.stringMatching(/^app-[0-9a-f]{16}$/),
      kind: 'repository',
      markers: ['.git', 'package.json', 'Makefile'],
    };
    for (const path of ['app', 'app/src/deep', 'app/src/deep/a.ts', 'app/src/new.ts', 'app/.git/hooks'])
      expect(await detect(tree, path)).toEqual(project);
  });

  test('is the repository rather than a package within it', async () => {
    using tree = tempTree(['app/.git/', 'app/packages/a/package.json = {"name":"a"}', 'app/packages/a/src/']);
    expect(await detect(tree, 'app/packages/a/src')).toMatchObject({
      location: tree.at('app'),
      kind: 'repository',
    });
    expect(await detect(tree, 'app/packages/a/src', { nearest: 'manifest' })).toMatchObject({
      name: 'a',
      location: tree.at('app/packages/a'),
      kind: 'manifest',
      markers: ['package.json'],
    });
  });

  test('is the repository if it has no manifest, even with nearest manifest', async () => {
    using tree = tempTree(['app/.git/', 'app/tools/Makefile', 'app/x/package.json']);
    expect(await detect(tree, 'app/tools', { nearest: 'manifest' })).toMatchObject({
      location: tree.at('app'),
      kind: 'repository',
    });
  });

  test('is decided by the manifest at the top of a repository, on request', async () => {
    using tree = tempTree(['app/.git/', 'app/go.mod = module x.example/app', 'app/cmd/']);
    expect(await detect(tree, 'app/cmd', { nearest: 'manifest' })).toMatchObject({
      name: 'app',
      kind: 'manifest',
      markers: ['go.mod', '.git'],
    });
  });

  test('is the nearest manifest without a repository', async () => {
    using tree = tempTree(['app/package.json', 'app/packages/a/Cargo.toml', 'app/packages/a/src/']);
    expect(await detect(tree, 'app/packages/a/src')).toMatchObject({
      location: tree.at('app/packages/a'),
      kind: 'manifest',
      markers: ['Cargo.toml'],
    });
  });

  test('is a Makefile or a file of an editor only if nothing better is found', async () => {
    using tree = tempTree([
      'a/package.json',
      'a/tools/Makefile',
      'b/x.code-workspace',
      'b/tools/Makefile',
      'b/src/',
    ]);
    expect((await detect(tree, 'a/tools'))?.location).toBe(tree.at('a'));
    expect(await detect(tree, 'b/tools')).toMatchObject({ location: tree.at('b/tools'), kind: 'manifest' });
    expect(await detect(tree, 'b/src')).toMatchObject({ name: 'x', location: tree.at('b'), kind: 'editor' });
  });

  test('is the outermost of manifests that every directory of a project has', async () => {
    using tree = tempTree([
      'app/CMakeLists.txt = project(engine)',
      'app/src/CMakeLists.txt',
      'app/src/core/CMakeLists.txt',
      'app/package.json',
      'other/CMakeLists.txt = project(other)',
      'other/gap/core/CMakeLists.txt',
      'make/Makefile',
      'make/src/Makefile',
    ]);
    expect((await detect(tree, 'app/src/core'))?.location).toBe(tree.at('app'));
    expect((await detect(tree, 'other/gap/core'))?.location).toBe(tree.at('other/gap/core'));
    expect((await detect(tree, 'make/src'))?.location).toBe(tree.at('make'));
  });

  test('is undefined without markers', async () => {
    using tree = tempTree(['a/b/c.txt']);
    expect(await detect(tree, 'a/b/c.txt')).toBeUndefined();
  });

  test('is the innermost of nested repositories', async () => {
    using tree = tempTree(['outer/inner/src/']);
    createRepository(tree.at('outer'));
    createRepository(tree.at('outer/inner'));
    const [inner, outer] = [await detect(tree, 'outer/inner/src'), await detect(tree, 'outer')];
    expect(inner?.location).toBe(tree.at('outer/inner'));
    expect(inner?.id).not.toBe(outer?.id);
  });

  test('is a repository even with a broken pointer', async () => {
    using tree = tempTree(['app/.git/', 'app/sub/.git = gitdir: /nowhere', 'app/sub/src/']);
    expect(await detect(tree, 'app/sub/src')).toMatchObject({
      location: tree.at('app/sub'),
      kind: 'repository',
    });
  });
});

describe("the product's own marker", () => {
  const markers = ['.blue'];

  test.each([
    ['below the top of the repository', ['app/.git/', 'app/part/.blue/', 'app/part/src/'], 'app/part'],
    ['at the top of the repository', ['app/.git/', 'app/.blue/', 'app/part/src/'], 'app'],
    ['above a nearer manifest', ['app/.git/', 'app/.blue', 'app/part/package.json', 'app/part/src/'], 'app'],
    ['nearest of several', ['app/.blue/', 'app/part/.blue/', 'app/part/src/'], 'app/part'],
    ['without a repository', ['.blue/', 'app/package.json', 'app/part/src/'], '.'],
    ['through a link', ['app/.blue => ../blue', 'blue/', 'app/part/src/'], 'app'],
  ])('wins %s', async (_case, entries, location) => {
    using tree = tempTree(entries);
    const project = await detect(tree, 'app/part/src', { markers, nearest: 'manifest' });
    expect(project).toMatchObject({ location: tree.at(location), kind: 'marker' });
    expect(project?.markers[0]).toBe('.blue');
  });

  test('is not found outside of the repository', async () => {
    using tree = tempTree(['.blue/', 'app/.git/', 'app/src/']);
    expect(await detect(tree, 'app/src', { markers })).toMatchObject({
      location: tree.at('app'),
      kind: 'repository',
    });
  });

  test('is listed before the other markers', async () => {
    using tree = tempTree(['app/.blue/', 'app/.git/', 'app/package.json = {"name":"x"}', 'app/Makefile']);
    expect(await detect(tree, 'app', { markers: ['.none', '.blue'] })).toMatchObject({
      name: 'x',
      markers: ['.blue', '.git', 'package.json', 'Makefile'],
    });
  });

  test.each(['', '.', '..', 'a/b', '/a', 'a/', './a', 'a\u0000b'])('cannot be %j', async (marker) => {
    await expect(detectProject('.', { markers: [marker] })).rejects.toMatchObject({ code: 'INVALID_MARKER' });
  });
});

describe('the levels', () => {
  const names = Array.from({ length: 20 }, (_, index) => `d${index}`);

  test('are twenty directories, the first one included', async () => {
    using tree = tempTree(['package.json', `${names.join('/')}/`]);
    expect((await detect(tree, names.slice(0, 19).join('/')))?.location).toBe(tree.path);
    expect(await detect(tree, names.slice(0, 20).join('/'))).toBeUndefined();
  });

  test.each(['.git/', '.blue/'])('hold for %s as well', async (marker) => {
    using tree = tempTree([marker, `${names.join('/')}/`]);
    const options = { markers: ['.blue'] };
    expect((await detect(tree, names.slice(0, 19).join('/'), options))?.location).toBe(tree.path);
    expect(await detect(tree, names.slice(0, 20).join('/'), options)).toBeUndefined();
  });

  test('can be fewer', async () => {
    using tree = tempTree(['package.json', 'a/b/']);
    expect((await detect(tree, 'a/b', { levels: 3 }))?.location).toBe(tree.path);
    expect(await detect(tree, 'a/b', { levels: 2 })).toBeUndefined();
    expect(await detect(tree, '.', { levels: 0 })).toBeUndefined();
  });

  test('end at the stopAt directory', async () => {
    using tree = tempTree(['package.json', 'a/b/', 'link => a']);
    expect(await detect(tree, 'a/b', { stopAt: tree.at('link') })).toBeUndefined();
    expect((await detect(tree, 'a/b', { stopAt: tree.path }))?.location).toBe(tree.path);
    expect((await detect(tree, 'a/b', { stopAt: tree.at('gone'), levels: 3 }))?.location).toBe(tree.path);
  });

  test('do not change the id', async () => {
    using tree = tempTree(['.git/', `${names.join('/')}/package.json`]);
    const path = names.join('/');
    const [near, far] = [
      await detect(tree, path, { nearest: 'manifest' }),
      await detect(tree, path, { nearest: 'manifest', levels: 1, stopAt: tree.at(path) }),
    ];
    expect(near?.kind).toBe('manifest');
    expect(far).toEqual(near);
  });
});

describe('the id', () => {
  test('is the same in every worktree, for packages too, and the location is not', async () => {
    using tree = tempTree(['app/packages/a/package.json = {"name":"a"}']);
    createRepository(tree.at('app'));
    git(tree.at('app'), 'worktree', 'add', '--quiet', '../fix');
    const [main, fix] = [await detect(tree, 'app'), await detect(tree, 'fix')];
    expect(fix?.id).toBe(main?.id);
    expect([main?.location, fix?.location]).toEqual([tree.at('app'), tree.at('fix')]);
    const nearest = { nearest: 'manifest' } as const;
    const [one, other] = [
      await detect(tree, 'app/packages/a', nearest),
      await detect(tree, 'fix/packages/a', nearest),
    ];
    expect(one?.id).toBe(other?.id);
    expect(one?.id).not.toBe(main?.id);
  });

  test('is its own for a submodule, and the search ends there', async () => {
    using tree = tempTree(['app/a', 'lib/src/b']);
    createRepository(tree.at('lib'));
    createRepository(tree.at('app'));
    git(tree.at('app'), 'submodule', '--quiet', 'add', tree.at('lib'), 'libs/lib');
    const [app, sub, source] = [
      await detect(tree, 'app'),
      await detect(tree, 'app/libs/lib/src'),
      await detect(tree, 'lib'),
    ];
    expect(sub?.location).toBe(tree.at('app/libs/lib'));
    expect(new Set([app?.id, sub?.id, source?.id]).size).toBe(3);
  });

  test('differs for two directories of one name, and not for two spellings of one', async () => {
    using tree = tempTree(['a/app/go.mod', 'b/app/go.mod', 'link => a']);
    const ids = [
      await detect(tree, 'a/app'),
      await detect(tree, 'b/app'),
      await detect(tree, 'link/app'),
    ].map((project) => project?.id);
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids[2]).toBe(ids[0]);
  });

  test('does not change with the name in the manifest', async () => {
    using tree = tempTree(['app/package.json = {"name":"one"}']);
    const before = await detect(tree, 'app');
    tree.add('app/package.json = {"name":"two"}');
    const after = await detect(tree, 'app');
    expect([before?.name, after?.name]).toEqual(['one', 'two']);
    expect(after?.id).toBe(before?.id);
  });
});

describe('links', () => {
  test('above the project keep the spelling of the caller', async () => {
    using tree = tempTree(['real/app/go.mod', 'real/app/src/', 'link => real']);
    expect((await detect(tree, 'link/app/src'))?.location).toBe(tree.at('link/app'));
    expect((await detect(tree, 'link/app/go.mod'))?.location).toBe(tree.at('link/app'));
  });

  test('into a project lead to it, under its real path', async () => {
    using tree = tempTree([
      'real/app/.git/',
      'real/app/src/',
      'mine/package.json',
      'mine/link => ../real/app/src',
    ]);
    expect((await detect(tree, 'mine/link'))?.location).toBe(tree.at('real/app'));
    expect((await detect(tree, 'mine/link/new.ts'))?.location).toBe(tree.at('real/app'));
  });

  test('to files do not matter: the directory that holds them does', async () => {
    using tree = tempTree(['real/.git/', 'real/file', 'mine/package.json', 'mine/link => ../real/file']);
    expect((await detect(tree, 'mine/link'))?.location).toBe(tree.at('mine'));
  });

  test.each(['loop', 'loop/x', 'one', 'one/x'])('in a circle at %s end', async (path) => {
    using tree = tempTree([
      'app/go.mod',
      'app/loop => loop',
      'app/one => two',
      'app/two => one',
      'app/up => ..',
    ]);
    const project = await detect(tree, `app/${path}`);
    expect(project?.location).toBe(path.endsWith('/x') ? undefined : tree.at('app'));
    expect((await detect(tree, 'app/up/app/up/app'))?.location).toBe(tree.at('app/up/app/up/app'));
  });
});

describe('a difficult path', () => {
  test.each(['my app', 'приложение', 'a\nb', '日本語 📦', "it's", '$(x)', '-rf', 'cafe\u0301', '%20', '#?'])(
    'may be called %j',
    async (name) => {
      using tree = tempTree([`${name}/${name}.sln`, `${name}/src/`]);
      createRepository(tree.at(name));
      expect(await detect(tree, `${name}/src`)).toMatchObject({
        location: tree.at(name),
        name,
        markers: ['.git', `${name}.sln`],
      });
    },
  );

  test.each(['', 'a\u0000b', '/nowhere/at/all', `/${'x/'.repeat(20_000)}`])(
    'that is invalid has no project: %#',
    async (path) => {
      expect(await detectProject(path)).toBeUndefined();
    },
  );

  test('whose directory does not exist has no project', async () => {
    using tree = tempTree(['app/go.mod']);
    expect((await detect(tree, 'app/gone'))?.location).toBe(tree.at('app'));
    expect(await detect(tree, 'app/gone/file')).toBeUndefined();
  });

  test('may be longer than the system can open at once', async () => {
    using tree = tempTree(['go.mod']);
    const names = Array.from({ length: 18 }, () => 'n'.repeat(250));
    await using top = await openBoundary(tree.path);
    await top.makeDirectory(names.join('/'), { parents: true });
    try {
      expect((await detect(tree, names.join('/')))?.location).toBe(tree.path);
    } finally {
      await top.remove(names[0] ?? '', { tree: true });
    }
  });

  test('may begin at the top of the file system', async () => {
    expect(['/', undefined]).toContain((await detectProject('/'))?.location);
  });
});

describe('directories that may not be read', () => {
  test('are skipped, and entered where that is allowed', () => {
    using tree = tempTree([
      'app/go.mod = module x.example/app',
      'app/closed/src/',
      'app/blind/package.json',
      'app/blind/src/',
    ]);
    chmodSync(tree.path, 0o755);
    chmodSync(tree.at('app/closed'), 0o000);
    chmodSync(tree.at('app/blind'), 0o711);
    try {
      const found = detectAsNobody([
        tree.at('app/closed/src/a.ts'),
        tree.at('app/closed'),
        tree.at('app/blind/src'),
      ]);
      expect(found).toEqual([tree.at('app'), tree.at('app'), tree.at('app/blind')]);
    } finally {
      chmodSync(tree.at('app/closed'), 0o755);
    }
  });
});

test('a search that was aborted ends', async () => {
  await expect(detectProject('src', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
});

test('a search leaves nothing open', async () => {
  using tree = tempTree([
    'app/.git/HEAD',
    'app/package.json = {',
    'app/a/b/c/',
    'app/a/.blue => ../../x',
    'x/',
  ]);
  const issues: string[] = [];
  await detect(tree, 'app/a/b/c', { onIssue: (issue) => issues.push(issue) });
  await detect(tree, 'app/a/b/c', { markers: ['.blue'] });
  await detect(tree, 'app/gone/x');
  expect(openHandles(tree.path)).toEqual([]);
  expect(issues).toEqual(['Cannot read "package.json": line 1, column 2: close brace expected']);
});

/** The locations of projects as a process sees them that is not root: for root nothing is closed. */
function detectAsNobody(paths: readonly string[]): readonly string[] {
  const module = new URL('../../../.build/src/workspace/project/detect-project.js', import.meta.url);
  const script = `
    const { detectProject } = await import(${JSON.stringify(module.href)});
    const found = [];
    for (const path of ${JSON.stringify(paths)}) found.push((await detectProject(path))?.location ?? null);
    console.log(JSON.stringify(found));`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    ...user,
    encoding: 'utf8',
    cwd: '/',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as string[];
}

const anyway: ClimbOptions = { levels: 20, stopAt: undefined, signal: undefined };

test('looks at no more directories than allowed, including the first one', async () => {
  using tree = tempTree(['a/b/c/']);
  expect(await directories(tree.path, 'a/b/c', { levels: 3 })).toEqual(['a/b/c', 'a/b', 'a']);
  expect(await directories(tree.path, 'a/b/c', { levels: 1 })).toEqual(['a/b/c']);
  expect(await directories(tree.path, 'a/b/c', { levels: 0 })).toEqual([]);
});

test('ends at the top of the file system', async () => {
  expect(await directories('/', '.', { levels: 20 })).toEqual(['']);
});

test('ends at stopAt', async () => {
  using tree = tempTree(['a/b/c/']);
  expect(await directories(tree.path, 'a/b/c', { levels: 20, stopAt: tree.at('a') })).toEqual([
    'a/b/c',
    'a/b',
    'a',
  ]);
});

test('skips directories that cannot be opened', async () => {
  using tree = tempTree(['a/b/c/']);
  const found: string[] = [];
  for await (const { directory } of climb(tree.at('a/b/c'), { ...anyway, levels: 3 })) {
    found.push(relative(tree.path, directory));
    rmSync(tree.at('a/b'), { recursive: true, force: true });
  }
  expect(found).toEqual(['a/b/c', 'a']);
});

test('holds one directory open at a time, and none in the end', async () => {
  using tree = tempTree(['a/b/c/d/']);
  for await (const { directory, boundary } of climb(tree.at('a/b/c/d'), anyway)) {
    expect(openHandles(tree.path)).toEqual([directory]);
    if (boundary.name === 'b') break;
  }
  expect(openHandles(tree.path)).toEqual([]);
});

test('stops when it is aborted', async () => {
  using tree = tempTree(['a/']);
  const way = climb(tree.at('a'), { ...anyway, signal: AbortSignal.abort() });
  await expect(way.next()).rejects.toMatchObject({ name: 'AbortError' });
});

async function directories(
  top: string,
  path: string,
  { levels, stopAt }: { readonly levels: number; readonly stopAt?: string },
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { directory } of climb(join(top, path), { levels, stopAt, signal: undefined }))
    found.push(relative(top, directory));
  return found;
}

describe('findStart', () => {
  test.each([
    ['a directory', 'dir', 'dir', 'dir'],
    ['a directory with a slash', 'dir/', 'dir', 'dir'],
    ['a file', 'dir/file', 'dir', 'dir'],
    ['a file that does not exist', 'dir/gone', 'dir', 'dir'],
    ['a FIFO', 'dir/pipe', 'dir', 'dir'],
    ['a link to a directory', 'link', 'link', 'dir'],
    ['a file beneath a link', 'link/file', 'link', 'dir'],
    ['a link to a file', 'to-file', '.', '.'],
    ['a link to itself', 'dir/loop', 'dir', 'dir'],
    ['a link that leads nowhere', 'dir/broken', 'dir', 'dir'],
    ['a way with dots', 'dir/../dir/./file', 'dir', 'dir'],
  ])('begins at the directory of %s', async (_case, path, spelled, real) => {
    using tree = tempTree([
      'dir/file',
      'dir/pipe|',
      'dir/loop => loop',
      'dir/broken => nowhere',
      'link => dir',
      'to-file => dir/file',
    ]);
    expect(await findStart(`${tree.path}/${path}`)).toEqual({
      spelled: tree.at(spelled),
      real: tree.at(real),
      skipped: 0,
    });
  });

  test.each(['gone/file', 'gone/gone/', 'file/x', 'loop/x', 'broken/x', `${'x'.repeat(300)}/y`])(
    'does not start for %s',
    async (path) => {
      using tree = tempTree(['file', 'loop => loop', 'broken => nowhere', 'x']);
      // "file/x" is no path of anything, though "file" exists.
      expect(await findStart(tree.at(path))).toBeUndefined();
    },
  );

  test.each(['', 'a\u0000b', '/a\u0000/b', `/${'x'.repeat(40_000)}`])(
    'does not start for an invalid path',
    async (path) => {
      expect(await findStart(path)).toBeUndefined();
    },
  );

  test('skips directories that are too deep to open, and counts them', async () => {
    using tree = tempTree();
    const names = Array.from({ length: 20 }, () => 'n'.repeat(250));
    await using top = await openBoundary(tree.path);
    await top.makeDirectory(names.join('/'), { parents: true });
    try {
      const start = await findStart(tree.at(...names, 'file'));
      const depth = start === undefined ? 0 : relative(tree.path, start.real).split('/').length;
      expect(start?.skipped).toBe(names.length - depth);
      expect(depth).toBeGreaterThan(10);
    } finally {
      await top.remove(names[0] ?? '', { tree: true });
    }
  });

  test("resolves a relative path from the process's directory", async () => {
    expect((await findStart('src'))?.spelled).toBe(`${process.cwd()}/src`);
  });
});

describe('spellAbove', () => {
  test('keeps the spelling of the caller where it leads to the same directory', async () => {
    using tree = tempTree(['real/app/src/', 'link => real', 'into => real/app/src']);
    const start = await findStart(tree.at('link/app/src'));
    expect(start === undefined ? '' : await spellAbove(start, tree.at('real/app'))).toBe(tree.at('link/app'));
    const into = await findStart(tree.at('into'));
    expect(into === undefined ? '' : await spellAbove(into, tree.at('real/app'))).toBe(tree.at('real/app'));
    expect(into === undefined ? '' : await spellAbove(into, tree.at('real/app/src'))).toBe(tree.at('into'));
  });
});
