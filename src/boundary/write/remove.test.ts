import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { listTree } from '../../../test/support/trees/list-tree.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary, openWith } from '../open-boundary.ts';
import { procDriver } from '../system/proc-driver.ts';

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each(['f', 'd', 'd/', 'to-f', 'to-full', 'dangling', 'out', 'pipe'])(
    'removes %s itself',
    async (name) => {
      using tree = tempTree([
        'secret/x',
        ...[
          'f',
          'd/',
          'full/x',
          'to-f => f',
          'to-full => full',
          'dangling => nowhere',
          'out => ../secret',
          'pipe|',
        ].map((entry) => `ROOT/${entry}`),
      ]);
      const content = listTree(tree.at('ROOT'));
      await using boundary = openWith(driver, tree.at('ROOT'), {});
      const before = openHandles(tree.path);
      await boundary.remove(name);
      const own = new RegExp(`^${name.replace('/', '')}(?! *[\\w-])`);
      expect(listTree(tree.at('ROOT'))).toEqual(content.filter((entry) => !own.test(entry)));
      expect(listTree(tree.at('secret'))).toEqual(['x = secret/x']);
      expect(openHandles(tree.path)).toEqual(before);
    },
  );

  test.each([
    ['.', 'IS_ROOT'],
    ['d/..', 'IS_ROOT'],
    ['d', 'NOT_EMPTY'],
    ['f/', 'NOT_A_DIRECTORY'],
    ['to-d/', 'NOT_A_DIRECTORY'],
    ['missing', 'NOT_FOUND'],
    ['missing/x', 'NOT_FOUND'],
    ['../secret', 'OUTSIDE_ROOTS'],
    ['out/x', 'OUTSIDE_ROOTS'],
  ])('refuses %s with %s', async (path, code) => {
    using tree = tempTree(['secret/x', 'ROOT/d/x', 'ROOT/f', 'ROOT/to-d => d', 'ROOT/out => ../secret']);
    await using boundary = openWith(driver, tree.at('ROOT'), {});
    const before = openHandles(tree.path);
    const content = listTree(tree.path);
    await expect(boundary.remove(path)).rejects.toMatchObject({ code });
    if (code !== 'NOT_EMPTY') {
      await expect(boundary.remove(path, { tree: true })).rejects.toMatchObject({ code });
    }
    expect(listTree(tree.path)).toEqual(content);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('removes a tree, but no targets of links in it', async () => {
    using tree = tempTree([
      ...['a/b/c', 'a/d/', 'a/pipe|', 'a/b/f'].map((entry) => `ROOT/x/${entry}`),
      'ROOT/x/out => ../../secret',
      'ROOT/x/absolute => $TREE/secret',
      'ROOT/x/a/to-keep => ../../keep',
      'ROOT/keep/f',
      'secret/key',
    ]);
    await using boundary = openWith(driver, tree.at('ROOT'), {});
    const before = openHandles(tree.path);
    await boundary.remove('x', { tree: true });
    expect(listTree(tree.path)).toEqual([
      'ROOT/',
      'ROOT/keep/',
      'ROOT/keep/f = ROOT/keep/f',
      'secret/',
      'secret/key = secret/key',
    ]);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('also removes entries that are not trees', async () => {
    using tree = tempTree(['f', 'to-d => d', 'd/x']);
    await using boundary = openWith(driver, tree.path, {});
    await boundary.remove('f', { tree: true });
    await boundary.remove('to-d', { tree: true });
    expect(readdirSync(tree.path)).toEqual(['d']);
  });

  test('removes a tree through a directory that is a link', async () => {
    using tree = tempTree(['a/x/y', 'to-a => a']);
    await using boundary = openWith(driver, tree.path, {});
    await boundary.remove('to-a/x', { tree: true });
    expect(readdirSync(tree.at('a'))).toEqual([]);
  });
});

test.runIf(process.platform === 'linux')('removes a tree with names that are not UTF-8', async () => {
  using tree = tempTree(['x/']);
  const odd = Buffer.concat([Buffer.from(`${tree.path}/x/`), Buffer.from([0x61, 0xff])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from([0x2f, 0xfe])]), '');
  writeFileSync(Buffer.concat([odd, Buffer.from([0xfe])]), '');
  await using boundary = openWith(procDriver, tree.path, {});
  await boundary.remove('x', { tree: true });
  expect(readdirSync(tree.path)).toEqual([]);
});

test('removes a deep tree', async () => {
  using tree = tempTree([`x/${'d/'.repeat(200)}f`]);
  await using boundary = await openBoundary(tree.path);
  await boundary.remove('x', { tree: true });
  expect(readdirSync(tree.path)).toEqual([]);
});

test('a removal that is aborted ends, and keeps nothing open', async () => {
  using tree = tempTree(Array.from({ length: 50 }, (_, index) => `x/d${index}/f`));
  await using boundary = await openBoundary(tree.path);
  const before = openHandles(tree.path);
  const controller = new AbortController();
  const removing = boundary.remove('x', { tree: true, signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(removing).rejects.toThrow('enough');
  expect(existsSync(tree.at('x'))).toBe(true);
  expect(openHandles(tree.path)).toEqual(before);
});

test('refuses a root that is a file', async () => {
  using tree = tempTree(['f']);
  await using boundary = await openBoundary(tree.at('f'));
  for (const path of ['.', 'f']) {
    await expect(boundary.remove(path)).rejects.toMatchObject({ code: 'IS_ROOT' });
    await expect(boundary.remove(path, { tree: true })).rejects.toMatchObject({ code: 'IS_ROOT' });
  }
  expect(readFileSync(tree.at('f'), 'utf8')).toBe('f');
});

test('calls the guard with remove', async () => {
  using tree = tempTree(['d/f']);
  await using boundary = await openBoundary(tree.path, {
    guard: (operation, relative) =>
      operation === 'remove' && relative === 'd/f' ? new Error('no') : undefined,
  });
  await expect(boundary.remove('d/f')).rejects.toThrow('no');
  await expect(boundary.remove('d', { tree: true })).rejects.toThrow('no');
  expect(existsSync(tree.at('d', 'f'))).toBe(true);
});
