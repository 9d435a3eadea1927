import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../../src/testing/index.ts';
import { createRepository, git } from '../../support/trees/git.ts';
import { speakHere, type Spoken } from '../../support/processes/speak.ts';

/*
 * The author of a repository wrote its `.git` file, and that can name any place of this machine. Nothing of what
 * lies there is told.
 */

async function told(server: Spoken, path: string): Promise<string> {
  const { text } = await server.call('project_info', { path });
  return text.split('\n').find((line) => line.includes('repository:')) ?? '';
}

test('a .git file or link that leads out of the roots tells nothing of what is there', async () => {
  using tree = tempTree(['secret/a', 'tree/', 'app/package.json = {}']);
  createRepository(tree.at('secret'));
  git(tree.at('secret'), 'checkout', '--quiet', '-b', 'takeover-of-acme');
  git(tree.at('secret'), 'worktree', 'add', '--quiet', '-b', 'second-plan', tree.at('app/real'));
  const outside = tree.at('secret/.git');
  tree.add(
    `app/file/.git = gitdir: ${outside}\n`,
    'app/relative/.git = gitdir: ../../secret/.git\n',
    `app/worktree/.git = gitdir: ${outside}/worktrees/real\n`,
    'app/link/.git => ../../secret/.git',
    'app/missing/.git = gitdir: /nowhere/worktrees/x\n',
    // What is compared in order to find the identity, forged as far as that goes within the root.
    `app/forged/.git = gitdir: ${tree.at('app/data')}/worktrees/x\n`,
    `app/data/worktrees/x/commondir = ${outside}\n`,
    `app/data/worktrees/x/gitdir = ${tree.at('app/forged/.git')}\n`,
    'app/data/worktrees/x/HEAD => ../../../../secret/.git/HEAD',
  );
  // Negative control: the pointer is one, and a plain read follows it.
  expect(readFileSync(`${outside}/HEAD`, 'utf8')).toContain('takeover-of-acme');
  expect(git(tree.at('app/file'), 'branch', '--show-current')).toBe('takeover-of-acme');
  await using server = await speakHere({ args: [tree.at('app')] });
  expect(JSON.stringify(await server.player.call('project_info', {}))).not.toMatch(/takeover|second-plan/);
  for (const name of ['real', 'worktree'])
    expect(await told(server, name)).toContain('git, worktree of a repository outside the roots');
  for (const name of ['file', 'relative'])
    expect(await told(server, name)).toContain('data of a repository outside the roots');
  // It is the same whether something is there or not.
  expect(await told(server, 'missing')).toBe(await told(server, 'real'));
  expect(await told(server, 'forged')).toBe('  repository: git, worktree');
});

test('a pointer that stays in the roots is followed: worktrees and submodules have a branch', async () => {
  using tree = tempTree(['app/a', 'lib/b']);
  for (const name of ['app', 'lib']) createRepository(tree.at(name));
  git(tree.at('app'), 'submodule', '--quiet', 'add', tree.at('lib'), 'libs/lib');
  git(tree.at('app'), 'worktree', 'add', '--quiet', '-b', 'side', tree.at('side'));
  await using server = await speakHere({ args: [tree.at('app'), tree.at('side')] });
  expect(await told(server, tree.at('side'))).toBe('  repository: git, worktree, on side');
  expect(await told(server, tree.at('app/libs/lib'))).toBe('  repository: git, submodule, on main');
  await using alone = await speakHere({ args: [tree.at('side')] });
  expect(await told(alone, tree.at('side'))).toContain('worktree of a repository outside the roots');
});

test('the id of a project is the same whether or not something is where its repository claims to be', async () => {
  using tree = tempTree(['out/there/', 'out/file', 'app/package.json = {}']);
  const markers = ['.git', '.hg', '.jj', '.svn'];
  const forge = (name: string): string[] => [
    `app/forged/.git = gitdir: ${tree.at('app/data')}\n`,
    `app/data/gitdir = ${tree.at('app/forged/.git')}\n`,
    `app/data/commondir = ${tree.at('out')}/${name}\n`,
  ];
  const idsFor = async (name: string): Promise<readonly string[]> => {
    tree.add(...markers.map((marker) => `app/${marker.slice(1)}/${marker} => ../../out/${name}`));
    tree.add(...markers.map((marker) => `app/to${marker}/${marker} => ${tree.at('out')}/${name}`));
    tree.add(...forge(name));
    await using server = await speakHere({ args: [tree.at('app')] });
    const places = [...markers.flatMap((marker) => [marker.slice(1), `to${marker}`]), 'forged'];
    const ids = places.map(async (place) => {
      const { text } = await server.call('list_roots', { cwd: tree.at(`app/${place}`) });
      return /"id": "(?<id>[^"]+)"/.exec(text)?.groups?.['id'] ?? text;
    });
    const known = await Promise.all(ids);
    for (const place of [...places, 'data']) rmSync(tree.at(`app/${place}`), { recursive: true });
    return known;
  };
  const missing = await idsFor('nowhere');
  expect(new Set(missing).size).toBe(missing.length);
  expect(await idsFor('there')).toEqual(missing);
  expect(await idsFor('file')).toEqual(missing);
});
