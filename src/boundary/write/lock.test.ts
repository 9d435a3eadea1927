import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext, type OpenContext } from '../../../test/support/trees/boundary-context.ts';
import { holdLock } from '../../../test/support/processes/hold-lock.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import { type FileLock, loadNativeLocks, lock, type LockOptions } from './lock.ts';

type Kind = FileLock['kind'];

const kinds: readonly Kind[] = ['kernel', 'file'];

/** As where the package has no binary. */
const nothing = async (): Promise<undefined> => undefined;

function take(context: OpenContext, kind: Kind, options: LockOptions = {}): Promise<FileLock> {
  return kind === 'kernel' ? lock(context, 'lock', options) : lock(context, 'lock', options, nothing);
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  describe.each(kinds)('a lock of kind %s', (kind) => {
    test('excludes others in the same process until it is released', async () => {
      using tree = tempTree();
      using context = openContext(tree.path, { driver });
      const first = await take(context, kind);
      expect(first.kind).toBe(kind);
      await expect(take(context, kind, { timeout: 0 })).rejects.toMatchObject({ code: 'BUSY' });
      await first.release();
      await first.release();
      const second = await take(context, kind, { timeout: 0 });
      await second.release();
    });

    test('admits all, one at a time', async () => {
      using tree = tempTree();
      using context = openContext(tree.path, { driver });
      const enter = async (): Promise<void> => {
        await using held = await take(context, kind);
        expect(held.kind).toBe(kind);
        // Fails if another holder is inside.
        mkdirSync(tree.at('inside'));
        await new Promise(setImmediate);
        rmdirSync(tree.at('inside'));
      };
      await Promise.all(Array.from({ length: 12 }, enter));
      expect(readdirSync(tree.path).filter((name) => name !== 'lock')).toEqual([]);
    });

    test('leaves no handle open, taken or refused', async () => {
      using tree = tempTree();
      using context = openContext(tree.path, { driver });
      const before = openHandles(tree.path);
      const held = await take(context, kind);
      await expect(take(context, kind, { timeout: 0 })).rejects.toThrow('it is changing or in use');
      await held.release();
      expect(openHandles(tree.path)).toEqual(before);
    });

    test('is not waited for after an abort', async () => {
      using tree = tempTree();
      using context = openContext(tree.path, { driver });
      await using held = await take(context, kind);
      const stop = new AbortController();
      const waiting = take(context, kind, { signal: stop.signal, timeout: 60_000 });
      stop.abort(new Error('enough'));
      await expect(waiting).rejects.toThrow('enough');
      expect(held.kind).toBe(kind);
    });
  });
});

describe.each(kinds)('between processes, a lock of kind %s', (kind) => {
  test('is held while its process lives, and free at once when it is killed', async () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    await using holder = await holdLock(tree.path, 'lock', kind);
    await expect(take(context, kind, { timeout: 50 })).rejects.toMatchObject({ code: 'BUSY' });
    await holder.kill();
    const held = await take(context, kind, { timeout: 1_000 });
    await held.release();
    expect(readdirSync(tree.path).filter((name) => name !== 'lock')).toEqual([]);
  });
});

test('a boundary waits for its locks before it closes', async () => {
  using tree = tempTree();
  const boundary = await openBoundary(tree.path);
  const held = await boundary.lock('lock');
  const order: string[] = [];
  const closing = boundary.close().then(() => order.push('closed'));
  await expect(boundary.lock('lock')).rejects.toMatchObject({ code: 'CLOSED' });
  order.push('released');
  await held.release();
  await closing;
  expect(order).toEqual(['released', 'closed']);
});

test('a lock does not lead out of the boundary', async () => {
  using tree = tempTree(['root/', 'root/lock => ../outside', 'outside']);
  await using boundary = await openBoundary(tree.at('root'));
  await expect(boundary.lock('lock')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await expect(boundary.lock('../outside')).rejects.toMatchObject({ code: 'OUTSIDE_ROOTS' });
  await using control = await openBoundary(tree.path);
  await using held = await control.lock('outside');
  expect(held.kind).toBe('kernel');
});

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
