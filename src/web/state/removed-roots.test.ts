import { expect, test } from 'vitest';
import { openRootStore } from '../../client/store/open-root-store.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { createRemovedRoots } from './removed-roots.ts';

test('restores each root separately, with its permissions and server lists', async () => {
  using tree = tempTree(['a/', 'b/', 'c/']);
  await using store = await openRootStore({ file: tree.at('roots.jsonc') });
  for (const name of ['a', 'b', 'c']) await store.add(tree.at(name));
  await store.allow('a', { operations: ['write'] });
  await store.deny('a', { operations: ['read'], server: 'files' });
  await store.allow('a', { server: 'search' });
  await store.limit('files', ['a', 'c']);
  const before = store.get('a');
  const removed = createRemovedRoots(store);
  const first = await removed.remove('a');
  const second = await removed.remove('b');
  expect(await removed.restore(first.undo)).toEqual(before);
  expect(store.list().map(({ name }) => name)).toEqual(['a', 'c']);
  expect(store.snapshot().servers).toEqual({ files: { roots: [tree.at('c'), tree.at('a')] } });
  expect((await removed.restore(second.undo)).name).toBe('b');
  expect(store.list().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  await expect(removed.restore(second.undo)).rejects.toThrow(
    expect.objectContaining({ code: 'CANNOT_UNDO' }),
  );
});
