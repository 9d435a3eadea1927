import { expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { RootwardError } from '../../errors.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readRepository, type RootsReach, type RepositoryFacts } from './project-repository.ts';

/** There is no other root. */
const reaching: RootsReach = { call: { access: () => Promise.reject(new Error('outside')) }, roots: [] };

const head = '.git/HEAD = ref: refs/heads/main\n';

async function read(entries: readonly string[], marker = '.git'): Promise<RepositoryFacts | undefined> {
  using tree = tempTree(entries);
  await using boundary = await openBoundary(tree.path);
  return await readRepository(boundary, { prefix: '', names: [marker] }, reaching);
}

function remote(url: string): Promise<RepositoryFacts | undefined> {
  return read([head, `.git/config = [core]\n\turl = no\n[remote "origin"]\n\turl = ${url}\n`]);
}

test('reads branch and remote of a repository', async () => {
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
])('reveals no login and no local path: %s', async (url, told) => {
  expect((await remote(url))?.remote).toBe(told);
});

test('prefers origin to other remotes', async () => {
  const config = '[remote "fork"]\nurl = https://a.example/x\n[remote "origin"]\nurl = https://b.example/x\n';
  expect((await read([head, `.git/config = ${config}`]))?.remote).toBe('https://b.example/x');
});

test('omits denied files', async () => {
  using tree = tempTree([head, '.git/config = [remote "origin"]\nurl = https://a.example/x\n']);
  await using boundary = await openBoundary(tree.path);
  const no = new RootwardError('NO_PERMISSION', { verb: 'read', path: 'config' });
  const guarded = boundary.guarded((_, relative) => (relative === '.git/config' ? no : undefined));
  expect(await readRepository(guarded, { prefix: '', names: ['.git'] }, reaching)).toEqual({
    kind: 'git',
    branch: 'main',
  });
});

test('ignores a file that is not a pointer, and one that leads elsewhere', async () => {
  expect(await read(['.git = something'])).toEqual({ kind: 'git' });
  expect(await read(['.git = gitdir: /srv/app/.git/worktrees/x'])).toEqual({
    kind: 'git',
    tree: 'worktree',
    outside: true,
  });
});

test('names other version control systems, and finds none without a repository', async () => {
  expect(await read(['.hg/'], '.hg')).toEqual({ kind: 'hg' });
  expect(await read(['a'], 'a')).toBeUndefined();
});
