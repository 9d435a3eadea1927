import { renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readMountTable } from '../../boundary/system/mount-table.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { Remembered } from './liveness.ts';
import { WatchMounts } from './watch-mounts.ts';
import { listMarkers, observeRoot, type ObserveOptions } from './observe-root.ts';

const { signal } = new AbortController();
const options: ObserveOptions = { mounts: new WatchMounts(), milliseconds: 5_000, signal };

test('tells where the root really is and what it lies on, and looks beside it where it is gone', async () => {
  using tree = tempTree(['app/', 'link => app']);
  const { look, mount, path } = await observeRoot(tree.at('link'), undefined, options);
  expect([look, path]).toEqual([expect.objectContaining({ real: tree.at('app') }), tree.at('app')]);
  const known = { ...look, mount } as Remembered;
  renameSync(tree.at('app'), tree.at('next'));
  expect(await observeRoot(tree.at('link'), known, options)).toMatchObject({
    look: { refused: 'missing' },
    movedTo: tree.at('next'),
  });
  rmSync(tree.at('next'), { recursive: true });
  expect((await observeRoot(tree.at('link'), known, options)).movedTo).toBeUndefined();
});

test('asks anew what is mounted only where something changed', async () => {
  using tree = tempTree(['app/']);
  const asked: boolean[] = [];
  const counting: ObserveOptions = {
    ...options,
    mounts: {
      read: (fresh) => {
        asked.push(fresh);
        return readMountTable();
      },
    },
  };
  const { look, mount } = await observeRoot(tree.at('app'), undefined, counting);
  const known = { ...look, mount } as Remembered;
  await observeRoot(tree.at('app'), known, counting);
  await observeRoot(tree.at('app'), { ...known, identity: 'other' }, counting);
  expect(asked).toEqual([false, false, true]);
});

test('lists markers of a directory, the most telling first, and none of a file', async () => {
  using tree = tempTree(['app/package.json', 'app/.git/HEAD', 'app/a.txt']);
  expect(await listMarkers(tree.at('app'), signal)).toEqual(['.git', 'package.json']);
  expect(await listMarkers(tree.at('app/a.txt'), signal)).toEqual([]);
  expect(await listMarkers(tree.at('none'), signal)).toEqual([]);
});
