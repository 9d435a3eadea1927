import { expect, test } from 'vitest';
import { type MountTable, parseMountTable } from '../../boundary/system/mount-table.ts';
import { WatchMounts } from './watch-mounts.ts';

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

test('is read once for many, and anew for who must be sure', async () => {
  const { mounts, count } = counting(one);
  await Promise.all([mounts.read(false), mounts.read(false)]);
  expect(count()).toBe(1);
  await mounts.read(true);
  expect(count()).toBe(2);
});

test('is told when it changed since it was last told, although others have read it meanwhile', async () => {
  const { mounts } = counting(one, one, two, two);
  expect(await mounts.readChanged()).toBe(one);
  expect(await mounts.readChanged()).toBeUndefined();
  expect(await mounts.read(true)).toBe(two);
  expect(await mounts.readChanged()).toBe(two);
});

test('is told every time where no system keeps count', async () => {
  const table: MountTable = { revision: undefined, mountOf: async () => undefined };
  const { mounts } = counting(table);
  expect([await mounts.readChanged(), await mounts.readChanged()]).toEqual([table, table]);
});
