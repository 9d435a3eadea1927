import { mkdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRootStore } from '../client/store/open-root-store.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { watchStored } from './watch-stored.ts';

test('tells when a root vanishes, and when it is back, until it is closed', async () => {
  using tree = tempTree(['app/']);
  await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
  await store.add(tree.at('app'));
  let changes = 0;
  let control = 0;
  const watching = watchStored(store, { changed: () => void (changes += 1), issue: () => {} });
  const other = watchStored(store, { changed: () => void (control += 1), issue: () => {} });
  const more = async (change: () => void): Promise<void> => {
    const before = changes;
    change();
    await expect.poll(() => changes).toBeGreaterThan(before);
  };
  // The first look, and that it has been taken.
  await expect.poll(() => Math.min(changes, control)).toBeGreaterThan(1);
  await more(() => rmSync(tree.at('app'), { recursive: true }));
  await more(() => mkdirSync(tree.at('app')));
  await watching[Symbol.asyncDispose]();
  const last = [changes, control] as const;
  rmSync(tree.at('app'), { recursive: true });
  await expect.poll(() => control).toBeGreaterThan(last[1]);
  expect(changes).toBe(last[0]);
  await other[Symbol.asyncDispose]();
});

test('may be closed before it has begun', async () => {
  using tree = tempTree();
  await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
  let changes = 0;
  const watching = watchStored(store, { changed: () => void (changes += 1), issue: () => {} });
  await watching[Symbol.asyncDispose]();
  expect(changes).toBe(0);
});
