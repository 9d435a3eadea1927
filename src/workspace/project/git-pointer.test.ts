import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRepository, git } from '../../../test/support/trees/git.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { readGitHead, readLine, readWorktreeSetting } from './git-pointer.ts';
import { detectRepository, type Repository } from './repository.ts';

describe('a worktree', () => {
  test('has the identity of its repository, and a top of its own', async () => {
    using tree = tempTree(['app/a']);
    createRepository(tree.at('app'));
    git(tree.at('app'), 'worktree', 'add', '--quiet', '-b', 'fix', tree.at('elsewhere', 'app fix'));
    expect(await detectRepository(tree.at('elsewhere', 'app fix'))).toEqual({
      top: tree.at('elsewhere', 'app fix'),
      kind: 'worktree',
      marker: '.git',
      commonDirectory: tree.at('app', '.git'),
      identity: tree.at('app', '.git'),
    });
  });

  test('may lie within its repository, and be found through a link', async () => {
    using tree = tempTree(['app/a', 'link => app/trees/x']);
    createRepository(tree.at('app'));
    git(tree.at('app'), 'worktree', 'add', '--quiet', 'trees/x');
    expect(await detectRepository(tree.at('link'))).toMatchObject({
      top: tree.at('app', 'trees', 'x'),
      kind: 'worktree',
      identity: tree.at('app', '.git'),
    });
  });

  test('may be written with relative paths, as newer versions of Git do', async () => {
    using tree = tempTree(['app/a']);
    createRepository(tree.at('app'));
    git(tree.at('app'), 'worktree', 'add', '--quiet', '../tree');
    writeFileSync(tree.at('tree', '.git'), 'gitdir: ../app/.git/worktrees/tree\r\n');
    writeFileSync(tree.at('app', '.git', 'worktrees', 'tree', 'gitdir'), '../../../../tree/.git\n');
    expect(await found(tree, 'tree')).toMatchObject({ kind: 'worktree', identity: tree.at('app', '.git') });
    expect(await detectRepository(tree.at('tree'))).not.toHaveProperty('issue');
  });

  test('belongs to a bare repository, and to the directory that points to it', async () => {
    using tree = tempTree(['source/a', 'x/.git = gitdir: ./.bare']);
    createRepository(tree.at('source'));
    git(tree.path, 'clone', '--quiet', '--bare', 'source', 'x/.bare');
    git(tree.at('x'), 'worktree', 'add', '--quiet', 'main');
    const bare = tree.at('x', '.bare');
    expect(await found(tree, 'x/main')).toMatchObject({ kind: 'worktree', identity: bare });
    expect(await found(tree, 'x')).toMatchObject({ kind: 'repository', identity: bare });
  });

  test('that was moved has an issue with the repair command, and its own identity until then', async () => {
    using tree = tempTree(['app/a']);
    createRepository(tree.at('app'));
    git(tree.at('app'), 'worktree', 'add', '--quiet', '../tree');
    renameSync(tree.at('tree'), tree.at('moved'));
    expect(await found(tree, 'moved')).toMatchObject({
      kind: 'worktree',
      commonDirectory: tree.at('app', '.git'),
      identity: tree.at('moved', '.git'),
      issue: 'Cannot confirm ".git": the repository does not know this worktree; try git worktree repair',
    });
    git(tree.at('moved'), 'worktree', 'repair');
    expect(await found(tree, 'moved')).toMatchObject({ identity: tree.at('app', '.git') });
    expect(await detectRepository(tree.at('moved'))).not.toHaveProperty('issue');
  });
});

describe('a submodule', () => {
  test('is a repository of its own, in each worktree the same', async () => {
    using tree = superproject();
    git(tree.at('app'), 'worktree', 'add', '--quiet', '../tree');
    git(tree.at('tree'), 'submodule', '--quiet', 'update', '--init');
    const kept = tree.at('app', '.git', 'modules', 'libs', 'lib');
    const main = await found(tree, 'app/libs/lib');
    const second = await found(tree, 'tree/libs/lib');
    expect(main).toMatchObject({ kind: 'submodule', commonDirectory: kept, identity: kept });
    expect(second).toMatchObject({ kind: 'submodule', identity: kept });
    expect(second?.commonDirectory).not.toBe(kept);
    expect((await found(tree, 'app'))?.identity).toBe(tree.at('app', '.git'));
  });

  test('may hold another one', async () => {
    using tree = superproject();
    createRepository(made(tree, 'inner'));
    git(tree.at('app', 'libs', 'lib'), 'submodule', '--quiet', 'add', tree.at('inner'), 'modules/inner');
    expect(await found(tree, 'app/libs/lib/modules/inner')).toMatchObject({
      kind: 'submodule',
      identity: tree.at('app', '.git', 'modules', 'libs', 'lib', 'modules', 'modules', 'inner'),
    });
  });

  test('has worktrees of its own', async () => {
    using tree = superproject();
    git(tree.at('app', 'libs', 'lib'), 'worktree', 'add', '--quiet', tree.at('tree'));
    expect(await found(tree, 'tree')).toMatchObject({
      kind: 'worktree',
      identity: tree.at('app', '.git', 'modules', 'libs', 'lib'),
    });
  });

  test('is not every directory beneath one of that name', async () => {
    using tree = tempTree(['modules/']);
    git(tree.path, 'init', '--quiet', '--separate-git-dir', 'modules/data', 'app');
    expect(await found(tree, 'app')).toMatchObject({
      kind: 'repository',
      commonDirectory: tree.at('modules', 'data'),
    });
  });
});

describe('a pointer that is broken', () => {
  test.each([
    ['is empty', ''],
    ['says something else', 'hello\n'],
    ['has no path', 'gitdir: \n'],
    ['has no space', 'gitdir:../data\n'],
    ['is endless', `gitdir: ${'x/'.repeat(50_000)}`],
    ['is not text', 'gitdir: \u0000\u0001\n'],
  ])('and %s is a repository with an issue', async (_case, content) => {
    using tree = tempTree(['app/']);
    writeFileSync(tree.at('app', '.git'), content);
    const own = tree.at('app', '.git');
    expect(await found(tree, 'app')).toEqual({
      top: tree.at('app'),
      kind: 'repository',
      marker: '.git',
      commonDirectory: own,
      identity: own,
      issue: expect.stringMatching(/^Cannot follow "\.git": /),
    });
  });

  test.each([
    ['nowhere', 'gitdir: /nowhere/at/all'],
    ['a file', 'gitdir: ../file'],
    ['a FIFO', 'gitdir: ../pipe'],
    ['itself', 'gitdir: .git'],
    ['a loop', 'gitdir: ../loop'],
  ])('because it leads to %s does not reveal where', async (_case, content) => {
    using tree = tempTree(['app/', 'file', 'pipe|', 'loop => loop']);
    writeFileSync(tree.at('app', '.git'), content);
    expect((await found(tree, 'app'))?.issue).toBe('Cannot follow ".git": it does not lead to a directory');
  });

  test('is what a worktree has when its repository is gone', async () => {
    using tree = tempTree(['app/a']);
    createRepository(tree.at('app'));
    git(tree.at('app'), 'worktree', 'add', '--quiet', '../tree');
    rmSync(tree.at('app'), { recursive: true });
    expect(await found(tree, 'tree')).toMatchObject({
      kind: 'repository',
      identity: tree.at('tree', '.git'),
    });
  });
});

describe('the identity of a repository cannot be claimed', () => {
  test('by a pointer to its data', async () => {
    using tree = superproject();
    const targets = ['app/.git', 'app/.git/modules/libs/lib'];
    for (const target of targets) expect(await claim(tree, tree.at(target))).toBe(tree.at('evil', '.git'));
  });

  test('by a pointer to one of its worktrees', async () => {
    using tree = superproject();
    git(tree.at('app'), 'worktree', 'add', '--quiet', '../tree');
    // Negative control: Git itself accepts it.
    expect(await claim(tree, tree.at('app', '.git', 'worktrees', 'tree'))).toBe(tree.at('evil', '.git'));
    expect(git(tree.at('evil'), 'rev-parse', '--git-common-dir')).toBe(tree.at('app', '.git'));
  });

  test('by a forged worktree', async () => {
    using tree = superproject();
    forge(tree, 'evil/data', { commondir: tree.at('app', '.git'), gitdir: tree.at('evil', '.git') });
    expect(await claim(tree, tree.at('evil', 'data'))).toBe(tree.at('evil', '.git'));
    expect(git(tree.at('evil'), 'rev-parse', '--git-common-dir')).toBe(tree.at('app', '.git'));
  });

  test('by a forged submodule', async () => {
    using tree = superproject();
    forge(tree, 'fake', { commondir: tree.at('app', '.git') });
    forge(tree, 'fake/modules/libs/lib', { config: `[core]\nworktree = ${tree.at('evil')}\n` });
    expect(await claim(tree, tree.at('fake', 'modules', 'libs', 'lib'))).toBe(
      tree.at('fake', 'modules', 'libs', 'lib'),
    );
  });
});

/** A repository in `app` with a submodule in `app/libs/lib`, whose source is `lib`. */
function superproject(): TempTree {
  const tree = tempTree(['app/a', 'lib/b']);
  createRepository(tree.at('lib'));
  createRepository(tree.at('app'));
  git(tree.at('app'), 'submodule', '--quiet', 'add', tree.at('lib'), 'libs/lib');
  git(tree.at('app'), 'commit', '--quiet', '--message', 'submodule');
  return tree;
}

function found(tree: TempTree, path: string): Promise<Repository | undefined> {
  return detectRepository(tree.at(path));
}

function made(tree: TempTree, path: string): string {
  mkdirSync(tree.at(path), { recursive: true });
  return tree.at(path);
}

/** A Git directory with whatever suits. */
function forge(tree: TempTree, path: string, files: Readonly<Record<string, string>>): void {
  made(tree, path);
  for (const [name, content] of Object.entries({ HEAD: 'ref: refs/heads/main\n', ...files }))
    writeFileSync(tree.at(path, name), content);
}

/** The identity of a directory `evil` with a pointer to another repository's data. */
async function claim(tree: TempTree, target: string): Promise<string | undefined> {
  writeFileSync(`${made(tree, 'evil')}/.git`, `gitdir: ${target}\n`);
  return (await found(tree, 'evil'))?.identity;
}

describe('readLine', () => {
  test.each([
    ['x\n', 'x'],
    ['x\r\n', 'x'],
    ['x', 'x'],
    [' x y \n\n', ' x y '],
    ['x\ny\n', 'x\ny'],
    ['', ''],
  ])('reads %j as %j', async (content, line) => {
    expect(await read({ file: content }, (boundary) => readLine(boundary, 'file'))).toBe(line);
  });

  test('returns undefined for files that are missing, very large, or lead out', async () => {
    using tree = tempTree(['dir/link => ../secret', 'secret']);
    writeFileSync(tree.at('dir', 'large'), 'x'.repeat(20_000));
    await using boundary = await openBoundary(tree.at('dir'));
    for (const name of ['gone', 'large', 'link', '.']) expect(await readLine(boundary, name)).toBeUndefined();
  });
});

describe('readHead', () => {
  test.each([
    ['ref: refs/heads/main\n', { branch: 'main' }],
    ['ref: refs/heads/feature/a-b\n', { branch: 'feature/a-b' }],
    ['ref: refs/heads/.invalid\n', {}],
    ['ref: refs/heads/../../etc/passwd\n', {}],
    ['ref: refs/heads/a\u202Eb\n', {}],
    ['8f3c1d2e9ab04c5d6e7f8091a2b3c4d5e6f70819\n', {}],
    ['', {}],
  ])('reads %j', async (content, head) => {
    expect(await read({ HEAD: content }, readGitHead)).toEqual(head);
  });

  test('reports a directory that has none', async () => {
    expect(await read({ other: '' }, readGitHead)).toEqual({
      issue: 'Cannot use ".git" as a repository: it has no HEAD',
    });
  });
});

describe('readWorktreeSetting', () => {
  test.each([
    ['[core]\n\tbare = false\n\tworktree = ../../x\n', '../../x'],
    ['[core]\r\nworktree=../a b\r\n', '../a b'],
    ['[core]\n\tWorkTree = "../a \\"b\\" \\\\c"\n', '../a "b" \\c'],
    ['[core]\n\tbare = true\n', undefined],
  ])('reads %j as %j', async (config, value) => {
    expect(await read({ config }, readWorktreeSetting)).toBe(value);
  });

  test('also reads the configuration of the worktree', async () => {
    const files = { config: '[core]\n', 'config.worktree': '[core]\nworktree = ../x\n' };
    expect(await read(files, readWorktreeSetting)).toBe('../x');
  });
});

async function read<Result>(
  files: Readonly<Record<string, string>>,
  use: (boundary: Awaited<ReturnType<typeof openBoundary>>) => Promise<Result>,
): Promise<Result> {
  using tree = tempTree();
  for (const [name, content] of Object.entries(files)) writeFileSync(tree.at(name), content);
  await using boundary = await openBoundary(tree.path);
  return await use(boundary);
}
