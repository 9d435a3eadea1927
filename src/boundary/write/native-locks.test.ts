import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { loadNativeLocks } from './native-locks.ts';

test('a lock belongs to a descriptor and ends with it', async () => {
  using tree = tempTree(['lock']);
  const native = await loadNativeLocks();
  if (native === undefined) throw new Error('this system has no binary');
  const [one, other] = [openSync(tree.at('lock'), 'a'), openSync(tree.at('lock'), 'a')];
  expect([native.tryLock(one), native.tryLock(other)]).toEqual([true, false]);
  native.unlock(one);
  expect([native.tryLock(other), native.tryLock(one)]).toEqual([true, false]);
  closeSync(other);
  expect(native.tryLock(one)).toBe(true);
  closeSync(one);
});
