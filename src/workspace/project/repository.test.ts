import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRepository, git } from '../../../test/support/trees/git.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { detectEnclosingRepository, detectRepository } from './repository.ts';

describe('detectRepository', () => {
  test('finds a repository of Git at its top, and what is checked out', async () => {
    using tree = tempTree(['app/src/a']);
    createRepository(tree.at('app'));
    expect(await detectRepository(tree.at('app'))).toEqual({
      top: tree.at('app'),
      kind: 'repository',
      marker: '.git',
      commonDirectory: tree.at('app', '.git'),
      identity: tree.at('app', '.git'),
    });
    expect(await detectRepository(tree.at('app', 'src'))).toBeUndefined();
  });

  test('accepts one without a checked out branch', async () => {
    using tree = tempTree(['app/a']);
    createRepository(tree.at('app'));
    git(tree.at('app'), 'checkout', '--quiet', '--detach');
    expect(await detectRepository(tree.at('app'))).not.toHaveProperty('issue');
  });

  test('accepts an empty .git as a repository, with an issue', async () => {
    using tree = tempTree(['app/.git/']);
    expect(await detectRepository(tree.at('app'))).toMatchObject({
      kind: 'repository',
      issue: 'Cannot use ".git" as a repository: it has no HEAD',
    });
  });

  test.each(['.jj', '.hg', '.svn'])('finds %s', async (marker) => {
    using tree = tempTree([`app/${marker}/`]);
    expect(await detectRepository(tree.at('app'))).toEqual({
      top: tree.at('app'),
      kind: 'repository',
      marker,
      commonDirectory: tree.at('app', marker),
      identity: tree.at('app', marker),
    });
  });

  test.each([
    ['a file where a directory belongs', ['app/.hg']],
    ['a FIFO', ['app/.git|']],
    ['a link that leads nowhere', ['app/.git => nowhere']],
    ['a link to itself', ['app/.git => .git']],
    ['nothing', ['app/']],
    ['a file', ['app']],
    ['no directory', []],
  ])('is not misled by %s', async (_case, entries) => {
    using tree = tempTree(entries);
    expect(await detectRepository(tree.at('app'))).toBeUndefined();
  });

  test.each(['../app/.git', '../nowhere'])('does not look where a link leads out to: %s', async (target) => {
    using tree = tempTree(['app/a', `other/.git => ${target}`]);
    createRepository(tree.at('app'));
    const own = tree.at('other', '.git');
    expect(await detectRepository(tree.at('other'))).toEqual({
      top: tree.at('other'),
      kind: 'repository',
      marker: '.git',
      commonDirectory: own,
      identity: own,
    });
  });

  test('names the top by its real path', async () => {
    using tree = tempTree(['app/.git/', 'link => app']);
    expect((await detectRepository(tree.at('link')))?.top).toBe(tree.at('app'));
  });
});

describe('detectEnclosingRepository', () => {
  test('finds the innermost of nested repositories', async () => {
    using tree = tempTree(['outer/a', 'outer/inner/src/b']);
    createRepository(tree.at('outer'));
    createRepository(tree.at('outer', 'inner'));
    expect((await detectEnclosingRepository(tree.at('outer', 'inner', 'src')))?.top).toBe(
      tree.at('outer', 'inner'),
    );
    rmSync(tree.at('outer', 'inner', '.git'), { recursive: true });
    expect((await detectEnclosingRepository(tree.at('outer', 'inner', 'src')))?.top).toBe(tree.at('outer'));
  });

  test('searches up to the top', async () => {
    const deep = Array.from({ length: 60 }, (_, index) => `d${index}`);
    using tree = tempTree(['.git/', `${deep.join('/')}/`]);
    expect((await detectEnclosingRepository(tree.at(...deep)))?.top).toBe(tree.path);
  });
});
