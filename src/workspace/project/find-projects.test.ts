import { chmodSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findAll, findPaths } from '../../../test/support/trees/find-all.ts';
import { createRepository, git } from '../../../test/support/trees/git.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { describeProject } from './describe-project.ts';
import { detectProject } from './detect-project.ts';
import {
  type FindProgress,
  findProjects,
  type FindProjectsOptions,
  ProgressReport,
  type ProjectSearch,
} from './find-projects.ts';
import { prunedDirectories } from './pruned-directories.ts';

async function drain(search: ProjectSearch): Promise<number> {
  const found = [];
  for await (const project of search) found.push(project);
  return found.length;
}

/** As many projects as asked for, in groups of ten. */
function many(count: number): TempTree {
  return tempTree(
    Array.from(
      { length: count },
      (_, index) => `group-${index % 10}/p${index}/package.json = {"name":"n${index}"}`,
    ),
  );
}

describe('what is found', () => {
  test('are repositories, manifests and files of editors, with name, place and reason', async () => {
    using tree = tempTree([
      'app/.git/HEAD',
      'app/package.json = { "name": "the-app" }',
      'app/src/a.ts',
      'rust/Cargo.toml = [package]\nname="crab"\n',
      'team/team.code-workspace = {}',
      'scripts/Makefile = all:',
      'notes/a.md',
    ]);
    expect(await findAll(tree.path)).toMatchObject({
      app: {
        name: 'the-app',
        kind: 'repository',
        markers: ['.git', 'package.json'],
        depth: 1,
        member: false,
      },
      rust: { name: 'crab', kind: 'manifest', location: tree.at('rust'), markers: ['Cargo.toml'] },
      scripts: { name: 'scripts', kind: 'manifest' },
      team: { name: 'team', kind: 'editor', markers: ['team.code-workspace'] },
    });
    expect(await findPaths(tree.path)).toEqual(['app', 'rust', 'scripts', 'team']);
  });

  test('may be the directory itself', async () => {
    using tree = tempTree(['package.json = { "name": "me" }', 'a/']);
    const found = await findAll(tree.path);
    expect(Object.keys(found)).toEqual(['.']);
    expect(found['.']).toMatchObject({ name: 'me', location: tree.path, depth: 0, member: false });
    expect(found['.']).not.toHaveProperty('parent');
  });

  test('is nothing in an empty directory', async () => {
    using tree = tempTree();
    const search = findProjects(tree.path);
    expect(await drain(search)).toBe(0);
    expect(search).toMatchObject({ stopped: undefined, skipped: 0 });
  });

  test('includes a repository within a repository, with its parent', async () => {
    using tree = tempTree(['outer/.git/HEAD', 'outer/libs/inner/.git/HEAD', 'outer/docs/Makefile']);
    const found = await findAll(tree.path);
    expect(Object.keys(found)).toEqual(['outer', 'outer/libs/inner']);
    expect(found['outer/libs/inner']).toMatchObject({ parent: tree.at('outer'), member: false, depth: 3 });
  });

  test('comes before the projects within it', async () => {
    using tree = tempTree(['a/.git/HEAD', 'a/b/go.mod', 'a/b/c/go.mod', 'd/.git/HEAD']);
    const order: string[] = [];
    for await (const { location } of findProjects(tree.path)) order.push(location);
    expect(order.indexOf(tree.at('a'))).toBeLessThan(order.indexOf(tree.at('a/b')));
    expect(order.indexOf(tree.at('a/b'))).toBeLessThan(order.indexOf(tree.at('a/b/c')));
  });

  test('comes as soon as it is known', async () => {
    using tree = tempTree(['package.json = {}', 'sub/package.json = {}']);
    const search = findProjects(tree.path)[Symbol.asyncIterator]();
    expect(await search.next()).toMatchObject({ value: { depth: 0 } });
    writeFileSync(tree.at('sub', 'package.json'), '{ "name": "written-later" }');
    expect(await search.next()).toMatchObject({ value: { name: 'written-later' } });
    await search.return?.();
  });

  test.each(['with space', 'ünï-✓', 'new\nline', '-rf', 'a\\b', 'qu\'ote"', '[x]{y}*', '\u202Eabc'])(
    'may be called %j',
    async (name) => {
      using tree = tempTree();
      mkdirSync(tree.at(name, 'sub'), { recursive: true });
      writeFileSync(tree.at(name, 'package.json'), '{ "workspaces": ["*"] }');
      writeFileSync(tree.at(name, 'sub', 'package.json'), '{}');
      const found = await findAll(tree.path);
      expect(found[name]).toMatchObject({ name, location: tree.at(name) });
      expect(found[`${name}/sub`]).toMatchObject({ parent: tree.at(name), member: true });
    },
  );

  test('are a thousand projects, each once', async () => {
    using tree = many(1_000);
    const found = Object.values(await findAll(tree.path));
    expect(found).toHaveLength(1_000);
    expect(new Set(found.map(({ name }) => name)).size).toBe(1_000);
    expect(new Set(found.map(({ id }) => id)).size).toBe(1_000);
  });

  test('includes projects in a very large directory', async () => {
    using tree = tempTree(['large/.git/HEAD', 'large/package.json = { "name": "large" }']);
    for (let index = 0; index < 3_000; index += 1) {
      linkSync(tree.at('large', 'package.json'), tree.at('large', String(index).padStart(200, '0')));
    }
    expect((await findAll(tree.path))['large']).toMatchObject({
      name: 'large',
      markers: ['.git', 'package.json'],
    });
  });

  test('is found again upward, and is the same', async () => {
    using tree = tempTree([
      'app/package.json = { "name": "app", "workspaces": ["packages/*"] }',
      'app/packages/a/package.json = { "name": "a" }',
      'app/packages/b/Cargo.toml = [package]\nname="b"\n',
      'app/tools/Makefile',
      'cpp/CMakeLists.txt = project(cpp)',
      'cpp/src/CMakeLists.txt',
      'plain/pom.xml = <project><artifactId>plain</artifactId></project>',
      'plain/docs/Makefile',
      'weak/Makefile',
      'weak/sub/Makefile',
      'weak/other/requirements.txt',
      'linked/package.json => ../app/package.json',
    ]);
    createRepository(tree.at('app'));
    git(tree.at('app'), 'worktree', 'add', '--quiet', '../app-tree');
    const found = await findAll(tree.path);
    expect(Object.keys(found)).toEqual([
      'app',
      'app-tree',
      'app-tree/packages/a',
      'app-tree/packages/b',
      'app/packages/a',
      'app/packages/b',
      'cpp',
      'linked',
      'plain',
      'weak',
      'weak/other',
    ]);
    for (const [path, { depth: _depth, parent: _parent, member: _member, ...project }] of Object.entries(
      found,
    )) {
      if (path !== 'linked') expect(await describeProject(tree.at(path))).toEqual(project);
      const upward = await detectProject(tree.at(path), { nearest: 'manifest' });
      expect(upward).toMatchObject({ location: project.location, id: project.id });
    }
  });

  test('has one id in the worktrees of a repository, and another one in its packages', async () => {
    using tree = tempTree(['main/package.json = {}', 'main/a/package.json = {}']);
    createRepository(tree.at('main'));
    git(tree.at('main'), 'worktree', 'add', '--quiet', '../side');
    const { main, side, 'main/a': inMain, 'side/a': inSide } = await findAll(tree.path);
    expect(side?.id).toBe(main?.id);
    expect(inSide?.id).toBe(inMain?.id);
    expect(inMain?.id).not.toBe(main?.id);
    expect(side?.location).toBe(tree.at('side'));
  });

  test('belongs to the repository around the search', async () => {
    using tree = tempTree(['app/packages/a/package.json = {}', 'app/packages/tools/Makefile']);
    createRepository(tree.at('app'));
    const whole = await findAll(tree.path);
    const part = await findAll(tree.at('app', 'packages'));
    expect(Object.keys(part)).toEqual(['a']);
    expect(part['a']?.id).toBe(whole['app/packages/a']?.id);
  });

  test('is spelled as the search was', async () => {
    using tree = tempTree(['real/app/.git/HEAD', 'link => real']);
    const [found] = Object.values(await findAll(tree.at('link')));
    expect(found?.location).toBe(tree.at('link', 'app'));
    expect(found?.id).toBe((await findAll(tree.at('real')))['app']?.id);
  });
});

describe('not entered', () => {
  test('are links, however they loop', async () => {
    using tree = tempTree([
      'app/package.json = {}',
      'app/self => .',
      'app/up => ..',
      'to-app => app',
      'outside => /usr',
      'broken => nowhere',
    ]);
    const search = findProjects(tree.path);
    expect(await drain(search)).toBe(1);
    expect(search).toMatchObject({ stopped: undefined, skipped: 0 });
  });

  test('are the directories of the table', async () => {
    using tree = tempTree(prunedDirectories.map((name) => `app/${name}/package.json = {}`));
    // What holds .git is a repository; nothing within the directories is found.
    expect(await findPaths(tree.path)).toEqual(['app']);
  });

  test('names that can be extended and replaced', async () => {
    using tree = tempTree(['build/go.mod', 'attic/go.mod', 'app/go.mod']);
    expect(await findPaths(tree.path, { prune: [...prunedDirectories, 'attic'] })).toEqual(['app']);
    expect(await findPaths(tree.path, { prune: [] })).toEqual(['app', 'attic', 'build']);
  });

  test('but never the directory that is searched, whatever its name', async () => {
    using tree = tempTree(['node_modules/a/package.json = {}', 'node_modules/package.json = {}']);
    expect(await findPaths(tree.at('node_modules'))).toEqual(['.', 'a']);
  });

  test('directories that .gitignore files ignore, by default', async () => {
    using tree = tempTree([
      'app/.git/HEAD',
      'app/made/go.mod',
      'app/sub/made/go.mod',
      'app/sub/kept/go.mod',
      'app/go.work',
    ]);
    writeFileSync(tree.at('app', '.gitignore'), '/made\ngo.work\n');
    writeFileSync(tree.at('app', 'sub', '.gitignore'), 'made/\n');
    const found = await findAll(tree.path);
    expect(Object.keys(found)).toEqual(['app', 'app/sub/kept']);
    expect(found['app']?.markers).toEqual(['.git', 'go.work']);
    expect(await findPaths(tree.path, { gitignore: false })).toEqual([
      'app',
      'app/made',
      'app/sub/kept',
      'app/sub/made',
    ]);
  });

  test('is not a directory named like a manifest; it is searched like others', async () => {
    using tree = tempTree(['Makefile/go.mod', 'package.json/x']);
    expect(await findPaths(tree.path)).toEqual(['Makefile']);
  });
});

describe('what cannot be read', () => {
  test.each([
    ['a file', 'a', 'NOT_A_DIRECTORY', 'Cannot search "$PATH": it is not a directory'],
    ['nothing', 'missing', 'NOT_FOUND', 'Cannot open "$PATH": it does not exist'],
    ['a FIFO', 'pipe', 'SPECIAL_FILE', 'Cannot open "$PATH": it is a FIFO'],
  ])('is %s, and says so when the search begins', async (_what, name, code, message) => {
    using tree = tempTree(['a', 'pipe|']);
    const path = tree.at(name);
    const expected = { code, message: message.replace('$PATH', path) };
    await expect(drain(findProjects(path))).rejects.toMatchObject(expected);
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('are directories that vanish, which are counted', async () => {
    using tree = tempTree(['package.json = {}', 'a/go.mod', 'b/go.mod', 'c/go.mod']);
    const search = findProjects(tree.path);
    const names: string[] = [];
    for await (const { name } of search) {
      if (names.length === 0) rmSync(tree.at('b'), { recursive: true });
      names.push(name);
    }
    expect(names).toHaveLength(3);
    expect(search).toMatchObject({ skipped: 1, stopped: undefined });
  });

  test.skipIf(process.getuid?.() === 0)('are directories that are not ours, which are counted', async () => {
    using tree = tempTree(['a/go.mod', 'b/go.mod']);
    chmodSync(tree.at('b'), 0);
    const search = findProjects(tree.path);
    expect(await drain(search)).toBe(1);
    expect(search.skipped).toBe(1);
    chmodSync(tree.at('b'), 0o755);
  });

  test.skipIf(process.getuid?.() === 0)('may be all of it, which is an error', async () => {
    using tree = tempTree(['a/go.mod']);
    chmodSync(tree.at('a'), 0);
    await expect(drain(findProjects(tree.at('a')))).rejects.toMatchObject({
      code: 'NO_PERMISSION',
      message: `Cannot search "${tree.at('a')}": the system does not permit it`,
    });
    chmodSync(tree.at('a'), 0o755);
  });

  test('are manifests; they are issues, and the project has the name of its directory', async () => {
    using tree = tempTree([
      'app/package.json = {',
      'big/package.json',
      'loop/Cargo.toml => Cargo.toml',
      'pipe/go.mod|',
    ]);
    writeFileSync(tree.at('big', 'package.json'), ' '.repeat(2 * 1024 * 1024));
    const issues: string[] = [];
    const found = await findAll(tree.path, { onIssue: (issue) => issues.push(issue) });
    expect(Object.values(found).map(({ name }) => name)).toEqual(['app', 'big']);
    expect(issues.toSorted()).toEqual([
      expect.stringContaining('"app/package.json"'),
      expect.stringContaining('"big/package.json": it is larger than'),
    ]);
  });
});

describe('a limit', () => {
  test.each([
    [0, ['.'], 'depth'],
    [1, ['.', 'a'], 'depth'],
    [3, ['.', 'a', 'a/b', 'a/b/c'], undefined],
  ] as const)('of depth %d finds %j', async (depth, expected, stopped) => {
    using tree = tempTree(['go.mod', 'a/go.mod', 'a/b/go.mod', 'a/b/c/go.mod']);
    const search = findProjects(tree.path, { depth });
    expect(await findPaths(tree.path, { depth })).toEqual(expected);
    expect(await drain(search)).toBe(expected.length);
    expect(search.stopped).toBe(stopped);
  });

  test('of depth is eight by default', async () => {
    using tree = tempTree([`${'d/'.repeat(8)}go.mod`, `${'e/'.repeat(9)}go.mod`]);
    expect(await findPaths(tree.path)).toEqual(['d/d/d/d/d/d/d/d']);
  });

  test.each([
    [{ projects: 0 }, 0, 'projects'],
    [{ projects: 7 }, 7, 'projects'],
    [{ projects: 20 }, 20, undefined],
  ] as const)('%j of 20 projects gives %d', async (options, count, stopped) => {
    using tree = many(20);
    const search = findProjects(tree.path, options);
    expect(await drain(search)).toBe(count);
    expect(search.stopped).toBe(stopped);
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('of entries counts every name that is checked', async () => {
    using tree = tempTree(['a/1', 'a/2', 'a/3', 'a/4', 'a/go.mod']);
    const outcome = async (options: FindProjectsOptions) => {
      const search = findProjects(tree.path, options);
      await drain(search);
      return search.stopped;
    };
    expect(await outcome({ entries: 5 })).toBe('entries');
    expect(await outcome({ entries: 6 })).toBeUndefined();
  });

  test('of time ends the search, and is reported', async () => {
    using tree = many(50);
    const search = findProjects(tree.path, { milliseconds: 0 });
    expect(await drain(search)).toBeLessThan(50);
    expect(search.stopped).toBe('time');
    expect(openHandles(tree.path)).toEqual([]);
  });
});

describe('a search that is ended', () => {
  test('before it began fails with the reason', async () => {
    using tree = many(3);
    const search = findProjects(tree.path, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(drain(search)).rejects.toThrow('enough');
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('in its middle fails before the next project', async () => {
    using tree = many(50);
    const controller = new AbortController();
    const found: string[] = [];
    const searching = (async () => {
      for await (const { name } of findProjects(tree.path, { signal: controller.signal })) {
        found.push(name);
        controller.abort(new Error('enough'));
      }
    })();
    await expect(searching).rejects.toThrow('enough');
    expect(found).toHaveLength(1);
    expect(openHandles(tree.path)).toEqual([]);
  });

  test('by leaving the loop holds nothing', async () => {
    using tree = many(50);
    const search = findProjects(tree.path);
    for await (const { depth } of search) if (depth > 0) break;
    expect(openHandles(tree.path)).toEqual([]);
    expect(await drain(search)).toBe(0);
  });
});

describe('progress', () => {
  async function progressOf(tree: TempTree, options: FindProjectsOptions): Promise<readonly FindProgress[]> {
    const reports: FindProgress[] = [];
    await drain(findProjects(tree.path, { ...options, onProgress: (report) => reports.push(report) }));
    return reports;
  }

  test('is reported once at the end of a short search', async () => {
    using tree = tempTree(['a/go.mod', 'a/x', 'a/b/y', 'node_modules/c/d', 'e/']);
    expect(await progressOf(tree, { progressMilliseconds: 60_000 })).toEqual([
      { directories: 4, entries: 7, projects: 1, at: 'a' },
    ]);
  });

  test('never goes back, and names the current directory', async () => {
    using tree = many(30);
    const reports = await progressOf(tree, { progressMilliseconds: 0 });
    expect(reports.length).toBeGreaterThan(30);
    for (const key of ['directories', 'entries', 'projects'] as const) {
      const values = reports.map((report) => report[key]);
      expect(values).toEqual(values.toSorted((one, other) => one - other));
    }
    expect(reports[0]?.at).toBe('.');
    expect(reports[5]?.at).toMatch(/^group-\d(\/p\d+)?$/);
    expect(reports.at(-1)).toMatchObject({ directories: 41, projects: 30 });
  });

  test('may end the search by failing', async () => {
    using tree = many(5);
    const onProgress = (): never => {
      throw new Error('nobody looks');
    };
    const search = findProjects(tree.path, { onProgress, progressMilliseconds: 0 });
    await expect(drain(search)).rejects.toThrow('nobody looks');
    expect(openHandles(tree.path)).toEqual([]);
  });
});

test.each(['a/b', '..', ''])('refuses the marker %j at once', (marker) => {
  expect(() => findProjects('.', { markers: [marker] })).toThrow(
    expect.objectContaining({ code: 'INVALID_MARKER' }),
  );
});

test('reports at once when asked, and not too often otherwise', () => {
  const reports: FindProgress[] = [];
  const progress = new ProgressReport({
    onProgress: (report) => reports.push(report),
    progressMilliseconds: 60_000,
  });
  progress.tick();
  expect(reports).toEqual([]);
  progress.entries += 7;
  progress.at = 'a/b';
  progress.report();
  progress.tick();
  expect(reports).toEqual([{ directories: 1, entries: 7, projects: 0, at: 'a/b' }]);
});

test('reports every time if there need be no time between', () => {
  let reports = 0;
  const progress = new ProgressReport({ onProgress: () => (reports += 1), progressMilliseconds: 0 });
  progress.tick();
  progress.tick();
  expect(reports).toBe(2);
});

test('works without a listener', () => {
  const progress = new ProgressReport({});
  progress.report();
  expect(progress).toMatchObject({ directories: 1, entries: 0, projects: 0, at: '.' });
});
