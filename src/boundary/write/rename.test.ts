import { existsSync, linkSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary, openWith } from '../open-boundary.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('moves a file, a directory and a link as what they are', async () => {
    using tree = tempTree(['f = content', 'd/x', 'to-d => d', 'dangling => nowhere', 'out => ../x', 'sub/']);
    await using boundary = openWith(driver, tree.path, {});
    const before = openHandles(tree.path);
    for (const name of ['f', 'd', 'to-d', 'dangling', 'out']) await boundary.rename(name, `sub/${name}`);
    expect(readdirSync(tree.path)).toEqual(['sub']);
    expect(readFileSync(tree.at('sub', 'f'), 'utf8')).toBe('content');
    expect(readdirSync(tree.at('sub', 'd'))).toEqual(['x']);
    expect(['to-d', 'dangling', 'out'].map((name) => readlinkSync(tree.at('sub', name)))).toEqual([
      'd',
      'nowhere',
      '../x',
    ]);
    expect(lstatSync(tree.at('sub', 'f')).nlink).toBe(1);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('replaces nothing by default', async () => {
    using tree = tempTree(['f', 'g', 'd/', 'e/', 'l => f', 'dangling => nowhere']);
    await using boundary = openWith(driver, tree.path, {});
    const pairs = [
      ['f', 'g'],
      ['f', 'd'],
      ['f', 'l'],
      ['f', 'dangling'],
      ['f', 'f'],
      ['d', 'e'],
      ['d', 'f'],
      ['d', 'l'],
      ['l', 'f'],
      ['l', 'dangling'],
    ] as const;
    for (const [from, to] of pairs) {
      await expect(boundary.rename(from, to)).rejects.toMatchObject({
        code: 'ALREADY_EXISTS',
        data: { verb: 'rename', path: to },
      });
    }
    expect(readFileSync(tree.at('g'), 'utf8')).toBe('g');
    expect(readdirSync(tree.path)).toHaveLength(6);
  });

  test.each([
    ['a file', 'f', 'g'],
    ['a link, not its target', 'f', 'l'],
    ['a file by a link', 'l', 'g'],
    ['an empty directory', 'd', 'e'],
  ])('replaces %s on request', async (_what, from, to) => {
    using tree = tempTree(['f', 'g', 'l => keep', 'keep', 'd/x', 'e/']);
    await using boundary = openWith(driver, tree.path, {});
    const { ino } = lstatSync(tree.at(from));
    await boundary.rename(from, to, { replace: true });
    expect(lstatSync(tree.at(to)).ino).toBe(ino);
    expect(existsSync(tree.at(from))).toBe(false);
    expect(readFileSync(tree.at('keep'), 'utf8')).toBe('keep');
  });

  test.each([
    ['d', 'full', 'NOT_EMPTY'],
    ['d', 'f', 'NOT_A_DIRECTORY'],
    ['f', 'e', 'IS_A_DIRECTORY'],
  ])('does not replace %s → %s even then: %s', async (from, to, code) => {
    using tree = tempTree(['f', 'd/x', 'e/', 'full/y']);
    await using boundary = openWith(driver, tree.path, {});
    const content = listTree(tree.path);
    await expect(boundary.rename(from, to, { replace: true })).rejects.toMatchObject({ code });
    expect(listTree(tree.path)).toEqual(content);
  });

  test.each([
    ['missing', 'new', 'NOT_FOUND', 'missing'],
    ['f', 'missing/new', 'NOT_FOUND', 'missing/new'],
    ['f', 'g/new', 'NOT_A_DIRECTORY', 'g/new'],
    ['d', 'd/new', 'NOT_POSSIBLE', 'd/new'],
    ['.', 'new', 'IS_ROOT', '.'],
    ['f', '.', 'IS_ROOT', '.'],
    ['f', 'd/..', 'IS_ROOT', 'd/..'],
    ['f/', 'new', 'NOT_A_DIRECTORY', 'f/'],
    ['to-d/', 'new', 'NOT_A_DIRECTORY', 'to-d/'],
    ['f', 'new/', 'NOT_A_DIRECTORY', 'new/'],
    ['to-d', 'new/', 'NOT_A_DIRECTORY', 'new/'],
    ['../x', 'new', 'OUTSIDE_ROOTS', '../x'],
    ['f', '../x', 'OUTSIDE_ROOTS', '../x'],
    ['f', 'out/x', 'OUTSIDE_ROOTS', 'out/x'],
  ])('refuses %s → %s with %s for %s', async (from, to, code, path) => {
    using tree = tempTree(['f', 'g', 'd/', 'to-d => d', 'out => ..']);
    await using boundary = openWith(driver, tree.path, {});
    const before = openHandles(tree.path);
    const content = listTree(tree.path);
    await expect(boundary.rename(from, to)).rejects.toMatchObject({ code, data: { path } });
    expect(listTree(tree.path)).toEqual(content);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test.each([
    ['d/', 'new'],
    ['d', 'new/'],
    ['d/', 'new/'],
    ['d/.', 'new'],
  ])('moves a directory that is spelled as one: %s → %s', async (from, to) => {
    using tree = tempTree(['d/x']);
    await using boundary = openWith(driver, tree.path, {});
    await boundary.rename(from, to);
    expect(readdirSync(tree.at('new'))).toEqual(['x']);
  });

  test('moves from one root to another', async () => {
    using tree = tempTree(['one/f', 'one/d/x', 'two/']);
    await using one = openWith(driver, tree.at('one'), {});
    await using two = openWith(driver, tree.at('two'), {});
    await one.rename('f', 'g', { into: two });
    await one.rename('d', 'e', { into: two });
    expect(readdirSync(tree.at('one'))).toEqual([]);
    expect(listTree(tree.at('two'))).toEqual(['e/', 'e/x = one/d/x', 'g = one/f']);
    await expect(one.rename('missing', 'x', { into: two })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('moves a file with a second name, and leaves the second', async () => {
  using tree = tempTree(['f = content']);
  linkSync(tree.at('f'), tree.at('second'));
  await using boundary = await openBoundary(tree.path);
  await boundary.rename('f', 'g');
  expect(readdirSync(tree.path)).toEqual(['g', 'second']);
});

test('does not move between two roots after one of them was closed', async () => {
  using tree = tempTree(['one/f', 'two/']);
  await using one = await openBoundary(tree.at('one'));
  const two = await openBoundary(tree.at('two'));
  await two.close();
  await expect(one.rename('f', 'g', { into: two })).rejects.toMatchObject({ code: 'CLOSED' });
  expect(readdirSync(tree.at('one'))).toEqual(['f']);
});

describe('the guard', () => {
  test('is called for both names', async () => {
    using tree = tempTree(['a/f', 'b/']);
    const asked = new Set<string>();
    await using boundary = await openBoundary(tree.path, {
      guard: (operation, relative) => void asked.add(`${operation} ${relative}`),
    });
    await boundary.rename('a/f', 'b/g');
    expect([...asked].toSorted()).toEqual(
      ['read', 'remove', 'write'].flatMap((operation) =>
        ['a', 'a/f', 'b', 'b/g'].map((name) => `${operation} ${name}`),
      ),
    );
  });

  test.each(['a/f', 'b/g', 'b'])('keeps a file where it is by refusing %s', async (denied) => {
    using tree = tempTree(['a/f', 'b/']);
    await using boundary = await openBoundary(tree.path, {
      guard: (_operation, relative) => (relative === denied ? new Error('no') : undefined),
    });
    await expect(boundary.rename('a/f', 'b/g')).rejects.toThrow('no');
    expect(readdirSync(tree.at('a'))).toEqual(['f']);
  });

  test('of the other root is called too', async () => {
    using tree = tempTree(['one/f', 'two/']);
    await using one = await openBoundary(tree.at('one'));
    await using two = await openBoundary(tree.at('two'), { guard: () => new Error('no') });
    await expect(one.rename('f', 'g', { into: two })).rejects.toThrow('no');
    expect(readdirSync(tree.at('one'))).toEqual(['f']);
  });
});
