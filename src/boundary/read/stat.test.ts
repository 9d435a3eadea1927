import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import { lstat, stat } from './stat.ts';

const entries = [
  'a/file = 12345',
  'link => a/file',
  'to-a => a',
  'dangling => nowhere',
  'pipe|',
  'to-pipe => pipe',
  'out => ../x',
];

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test.each([
    ['.', 'directory', 'directory'],
    ['a', 'directory', 'directory'],
    ['a/', 'directory', 'directory'],
    ['a/file', 'file', 'file'],
    ['link', 'file', 'link'],
    ['to-a', 'directory', 'link'],
    ['to-a/', 'directory', 'directory'],
    ['to-a/file', 'file', 'file'],
    ['pipe', 'FIFO', 'FIFO'],
    ['to-pipe', 'FIFO', 'link'],
  ])('%s is a %s, and names a %s', (path, target, named) => {
    using tree = tempTree(entries);
    using context = openContext(tree.path, { driver });
    expect(stat(context, path).kind).toBe(target);
    expect(lstat(context, path).kind).toBe(named);
  });

  test('describes a dangling link or one that leads out without following it', () => {
    using tree = tempTree(entries);
    using context = openContext(tree.path, { driver });
    expect(lstat(context, 'dangling').kind).toBe('link');
    expect(lstat(context, 'out')).toMatchObject({ kind: 'link', size: '../x'.length });
    expect(() => stat(context, 'dangling')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    expect(() => stat(context, 'out')).toThrow(expect.objectContaining({ code: 'OUTSIDE_ROOTS' }));
    expect(() => lstat(context, 'out/')).toThrow(expect.objectContaining({ code: 'OUTSIDE_ROOTS' }));
  });

  test.each([stat, lstat])('%o refuses a file that is spelled as a directory', (look) => {
    using tree = tempTree(entries);
    using context = openContext(tree.path, { driver });
    expect(() => look(context, 'a/file/')).toThrow('Cannot look at "a/file/": it is not a directory');
    expect(() => look(context, 'link/')).toThrow('Cannot look at "link/": it is not a directory');
  });

  test('keeps nothing open', () => {
    using tree = tempTree(entries);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    stat(context, 'link');
    lstat(context, 'link');
    expect(() => stat(context, 'dangling')).toThrow();
    expect(openHandles(tree.path)).toEqual(before);
  });
});

test('returns where an operation would act, and does nothing', async () => {
  using tree = tempTree(['ROOT/a/b', 'ROOT/l => a', 'ROOT/out => ../secret', 'secret', 'ROOT/p|']);
  await using boundary = await openBoundary(tree.at('ROOT'));
  expect(await boundary.probe('read', 'l/b')).toMatchObject({ relative: 'a/b', kind: 'file' });
  expect(await boundary.probe('write', 'l/new')).toMatchObject({ relative: 'a/new', kind: undefined });
  expect(await boundary.probe('read', 'p')).toMatchObject({ relative: 'p', kind: 'FIFO' });
  expect(await boundary.probe('list', '.')).toMatchObject({ relative: '', kind: 'directory' });
  expect(await boundary.probe('remove', 'out')).toMatchObject({ relative: 'out', kind: 'link' });
  await expect(boundary.probe('read', 'out')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await expect(boundary.probe('read', 'a/missing/x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(readdirSync(tree.at('ROOT', 'a'))).toEqual(['b']);
});

test('calls the guard with the given operation', async () => {
  using tree = tempTree(['a/b']);
  const asked: string[] = [];
  await using boundary = await openBoundary(tree.path, {
    guard: (operation, relative, last) => void asked.push(`${operation} ${relative} ${last}`),
  });
  await boundary.probe('remove', 'a/b');
  expect(asked).toEqual(['remove a false', 'remove a/b true']);
});
