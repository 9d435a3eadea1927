import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { readRepository, type RepositoryFacts } from './project-info-repository.ts';

const head = '.git/HEAD = ref: refs/heads/main\n';

async function read(entries: readonly string[], marker = '.git'): Promise<RepositoryFacts | undefined> {
  using tree = tempTree(entries);
  await using boundary = await openBoundary(tree.path);
  return await readRepository(boundary, '', [marker]);
}

function remote(url: string): Promise<RepositoryFacts | undefined> {
  return read([head, `.git/config = [core]\n\turl = no\n[remote "origin"]\n\turl = ${url}\n`]);
}

test('branch and remote of a repository', async () => {
  expect(await remote('https://example.com/a/b.git')).toEqual({
    kind: 'git',
    branch: 'main',
    remote: 'https://example.com/a/b.git',
  });
});

test.each([
  ['https://user:token@example.com/a.git?key=token#token', 'https://example.com/a.git'],
  ['ssh://git@example.com:22/a.git', 'ssh://example.com:22/a.git'],
  ['git@example.com:a/b.git', 'example.com:a/b.git'],
  ['token@example.com:a/b.git', 'example.com:a/b.git'],
  ['/srv/secret/a.git', undefined],
  ['file:///srv/secret/a.git', undefined],
  ['../elsewhere', undefined],
])('no login and no path of this machine is told: %s', async (url, told) => {
  expect((await remote(url))?.remote).toBe(told);
});

test('origin goes before others', async () => {
  const config = '[remote "fork"]\nurl = https://a.example/x\n[remote "origin"]\nurl = https://b.example/x\n';
  expect((await read([head, `.git/config = ${config}`]))?.remote).toBe('https://b.example/x');
});

test('what rules deny is not told', async () => {
  using tree = tempTree([head, '.git/config = [remote "origin"]\nurl = https://a.example/x\n']);
  await using boundary = await openBoundary(tree.path);
  const no = new RootwardError('NO_PERMISSION', { verb: 'read', path: 'config' });
  const guarded = boundary.guarded((_, relative) => (relative === '.git/config' ? no : undefined));
  expect(await readRepository(guarded, '', ['.git'])).toEqual({ kind: 'git', branch: 'main' });
});

test('a worktree has a branch of its own', async () => {
  using tree = tempTree(['main/a.txt']);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      cwd: tree.at('main'),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'x');
  git('worktree', 'add', '-q', '-b', 'side', '../side');
  await using boundary = await openBoundary(tree.at('side'));
  expect(await readRepository(boundary, '', ['.git'])).toEqual({
    kind: 'git',
    tree: 'worktree',
    branch: 'side',
  });
});

test('other systems are named, and no repository is none', async () => {
  expect(await read(['.hg/'], '.hg')).toEqual({ kind: 'hg' });
  expect(await read(['a'], 'a')).toBeUndefined();
});
