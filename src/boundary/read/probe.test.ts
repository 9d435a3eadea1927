import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';

test('tells where an operation would act, and does nothing', async () => {
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

test('asks the guard with the operation that is meant', async () => {
  using tree = tempTree(['a/b']);
  const asked: string[] = [];
  await using boundary = await openBoundary(tree.path, {
    guard: (operation, relative, last) => void asked.push(`${operation} ${relative} ${last}`),
  });
  await boundary.probe('remove', 'a/b');
  expect(asked).toEqual(['remove a false', 'remove a/b true']);
});
