import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openContext } from '../../../test/support/trees/boundary-context.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import type { BoundaryContext, Guard } from '../step/context.ts';
import { refuseWithin } from './refuse-within.ts';

function deny(denied: RegExp): Guard {
  return (_operation, relative) => (denied.test(relative) ? new Error(`no: ${relative}`) : undefined);
}

const repository = ['x/.git/config', 'x/src/a', 'y/'];
const gitConfig = /(^|\/)\.git\/config$/;

describe('a rule on something within a tree', () => {
  test.each(['z', 'y/z'])('keeps the tree from being renamed to %s', async (to) => {
    using tree = tempTree(repository);
    await using boundary = await openBoundary(tree.path, { guard: deny(gitConfig) });
    const content = listTree(tree.path);
    for (const path of ['x', 'x/.git']) {
      await expect(boundary.rename(path, to)).rejects.toThrow('no: x/.git/config');
    }
    expect(listTree(tree.path)).toEqual(content);
  });

  test('keeps the tree from being removed', async () => {
    using tree = tempTree(repository);
    await using boundary = await openBoundary(tree.path, { guard: deny(gitConfig) });
    const content = listTree(tree.path);
    for (const path of ['x', 'x/.git', './x/']) {
      await expect(boundary.remove(path, { tree: true })).rejects.toThrow('no: x/.git/config');
    }
    expect(listTree(tree.path)).toEqual(content);
  });

  test('does not affect the trees beside it', async () => {
    using tree = tempTree(repository);
    await using boundary = await openBoundary(tree.path, { guard: deny(gitConfig) });
    await boundary.rename('x/src', 'y/src');
    await boundary.remove('y', { tree: true });
    expect(listTree(tree.path)).toEqual(['x/', 'x/.git/', 'x/.git/config = x/.git/config']);
  });
});

describe('a rule on the new place of an entry', () => {
  test.each([
    ['hooks', '.git', /^\.git\/pre-commit$/, 'no: .git/pre-commit'],
    ['a', 'b', /^b\/c\/d$/, 'no: b/c/d'],
  ])('keeps %s from becoming %s', async (from, to, denied, message) => {
    using tree = tempTree(['hooks/pre-commit', 'a/c/d']);
    await using boundary = await openBoundary(tree.path, { guard: deny(denied) });
    const content = listTree(tree.path);
    await expect(boundary.rename(from, to)).rejects.toThrow(message);
    expect(listTree(tree.path)).toEqual(content);
  });

  test('holds in another root, and at its real place', async () => {
    using tree = tempTree(['one/a/c/d', 'two/deep/', 'two/link => deep']);
    await using one = await openBoundary(tree.at('one'));
    await using two = await openBoundary(tree.at('two'), { guard: deny(/^deep\/b\/c\/d$/) });
    const content = listTree(tree.path);
    await expect(one.rename('a', 'link/b', { into: two })).rejects.toThrow('no: deep/b/c/d');
    expect(listTree(tree.path)).toEqual(content);
    await one.rename('a', 'link/e', { into: two });
    expect(listTree(tree.path)).toContain('two/deep/e/c/d = one/a/c/d');
  });
});

describe('refuseWithin', () => {
  async function ask(context: BoundaryContext, path: string): Promise<void> {
    await refuseWithin(context, { operation: 'remove', verb: 'remove', path }, []);
  }

  test('checks everything in the tree, with the operation', async () => {
    using tree = tempTree(['x/a/b', 'x/link => a', 'other/']);
    const asked: string[] = [];
    using context = openContext(tree.path, {
      guard: (operation, relative, last) => void asked.push(`${operation} ${relative} ${last}`),
    });
    const before = openHandles(tree.path);
    await ask(context, 'x');
    expect(asked.toSorted()).toEqual(
      ['x', 'x/a', 'x/a/b', 'x/link'].map((name) => `remove ${name} true`).toSorted(),
    );
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('checks the way before it looks whether something is there', async () => {
    using tree = tempTree(['secret/there/', 'file']);
    using context = openContext(tree.path, { guard: deny(/^secret/) });
    for (const path of ['secret', 'secret/there', 'secret/missing']) {
      await expect(ask(context, path)).rejects.toThrow('no: secret');
    }
  });

  test('follows no link, and reads no file', async () => {
    using tree = tempTree(['d/denied', 'link => d', 'file']);
    using context = openContext(tree.path, { guard: deny(/denied/) });
    await ask(context, 'link');
    await ask(context, 'file');
    await expect(ask(context, 'd')).rejects.toThrow('no: d/denied');
  });

  test('looks at nothing if there is no rule', async () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    await ask(context, 'missing');
    await expect(ask({ ...context, guard: () => undefined }, 'missing')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Cannot remove "missing": it does not exist',
    });
  });

  test('refuses a tree that it cannot see completely', async () => {
    using tree = tempTree(['x/']);
    mkdirSync(Buffer.concat([Buffer.from(`${tree.path}/x/`), Buffer.from([0xff])]));
    using context = openContext(tree.path, { guard: () => undefined });
    await expect(ask(context, 'x')).rejects.toMatchObject({ code: 'TREE_TOO_LARGE' });
  });
});
