import { renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type MountTable, parseMountTable, readMountTable } from '../../boundary/system/mount-table.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { RememberedPlace } from './liveness.ts';
import { listMarkers, type ObserveOptions, observeRoot, WatchMounts } from './observe-root.ts';

const { signal } = new AbortController();
const options: ObserveOptions = { mounts: new WatchMounts(), milliseconds: 5_000, signal };

test('reports the real path and the mount, and searches the parent if the root is gone', async () => {
  using tree = tempTree(['app/', 'link => app']);
  const { look, mount, path } = await observeRoot(tree.at('link'), undefined, options);
  expect([look, path]).toEqual([expect.objectContaining({ real: tree.at('app') }), tree.at('app')]);
  const known = { ...look, mount } as RememberedPlace;
  renameSync(tree.at('app'), tree.at('next'));
  expect(await observeRoot(tree.at('link'), known, options)).toMatchObject({
    look: { refused: 'missing' },
    movedTo: tree.at('next'),
  });
  rmSync(tree.at('next'), { recursive: true });
  expect((await observeRoot(tree.at('link'), known, options)).movedTo).toBeUndefined();
});

test('reads the mounts again only if something changed', async () => {
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
  const known = { ...look, mount } as RememberedPlace;
  await observeRoot(tree.at('app'), known, counting);
  await observeRoot(tree.at('app'), { ...known, identity: 'other' }, counting);
  expect(asked).toEqual([false, false, true]);
});

test('lists markers of a directory, the most significant first, and none of a file', async () => {
  using tree = tempTree(['app/package.json', 'app/.git/HEAD', 'app/a.txt']);
  expect(await listMarkers(tree.at('app'), signal)).toEqual(['.git', 'package.json']);
  expect(await listMarkers(tree.at('app/a.txt'), signal)).toEqual([]);
  expect(await listMarkers(tree.at('none'), signal)).toEqual([]);
});

function counting(...tables: readonly MountTable[]): { mounts: WatchMounts; count: () => number } {
  let count = 0;
  const load = async (): Promise<MountTable> => {
    const table = tables[Math.min(count, tables.length - 1)];
    count += 1;
    return table ?? parseMountTable('');
  };
  return { mounts: new WatchMounts(load), count: () => count };
}

const one = parseMountTable('22 1 254:0 / / rw');
const two = parseMountTable('22 1 254:0 / / rw\n30 22 8:1 / /disk rw');

test('is read once for many callers, and again on request', async () => {
  const { mounts, count } = counting(one);
  await Promise.all([mounts.read(false), mounts.read(false)]);
  expect(count()).toBe(1);
  await mounts.read(true);
  expect(count()).toBe(2);
});

test('is reported if it changed since the last report, even if others have read it meanwhile', async () => {
  const { mounts } = counting(one, one, two, two);
  expect(await mounts.readChanged()).toBe(one);
  expect(await mounts.readChanged()).toBeUndefined();
  expect(await mounts.read(true)).toBe(two);
  expect(await mounts.readChanged()).toBe(two);
});

test('is reported every time on systems without a revision', async () => {
  const table: MountTable = { revision: undefined, mountOf: async () => undefined };
  const { mounts } = counting(table);
  expect([await mounts.readChanged(), await mounts.readChanged()]).toEqual([table, table]);
});
