import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRootStore } from '../../client/store/open-root-store.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openRootViews } from './root-views.ts';

test('a root is shown with its permissions, its kind and its state', async () => {
  using tree = tempTree(['work/app/package.json = {}', 'work/note.txt']);
  await using store = await openRootStore({ file: tree.at('roots.jsonc') });
  let told = 0;
  await using book = openRootViews(store, () => (told += 1));
  await store.add({ path: tree.at('work/app'), deny: ['/dist'] });
  await store.add({ path: tree.at('work/note.txt') });
  await store.allow('app', { operations: ['write'], server: 'search' });
  await store.limit('search', ['app']);
  await expect
    .poll(() => book.view().roots)
    .toMatchObject([
      {
        name: 'app',
        kind: 'directory',
        state: 'available',
        permissions: { allow: ['read', 'list'] },
        findings: [],
      },
      { name: 'note.txt', kind: 'file', state: 'available' },
    ]);
  expect(book.view()).toMatchObject({
    roots: [{ servers: { search: { allow: ['read', 'list', 'write'] } } }, {}],
    subsets: { search: [tree.at('work/app')] },
    file: tree.at('roots.jsonc'),
  });
  await expect.poll(() => told).toBeGreaterThan(0);
});

test('reports a missing root, and warns about a nested one', async () => {
  using tree = tempTree(['work/app/src/', 'work/gone/']);
  await using store = await openRootStore({ file: tree.at('roots.jsonc') });
  for (const name of ['app', 'app/src', 'gone']) await store.add(tree.at('work', name));
  await using book = openRootViews(store, () => {});
  await book.ready;
  rmSync(tree.at('work/gone'), { recursive: true });
  await expect.poll(() => book.view().roots[2], { timeout: 20_000 }).toMatchObject({ state: 'missing' });
  await expect.poll(() => book.view().roots[1]?.findings).toMatchObject([{ code: 'nested' }]);
});
