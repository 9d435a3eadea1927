import { readFileSync, statSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openHandles } from '../../test/support/processes/open-handles.ts';
import type { Boundary } from '../boundary/boundary.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { GroupFlush, HeldLog } from './held-log.ts';

function hold(boundary: Boundary, flush: 'each' | 'background'): HeldLog {
  return new HeldLog(boundary, { name: 'log', flush, onFailure: vi.fn() });
}

afterEach(() => {
  vi.useRealTimers();
});

test('creates a file that only its owner can read, and closes it', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const held = hold(boundary, 'background');
  expect(statSync(tree.at('log')).mode & 0o777).toBe(0o600);
  held.file.append('a\n');
  await held.close();
  expect(readFileSync(tree.at('log'), 'utf8')).toBe('a\n');
  expect(openHandles(tree.at('log'))).toEqual([]);
});

test('refuses a directory', async () => {
  using tree = tempTree(['log/']);
  await using boundary = await openBoundary(tree.path);
  expect(() => hold(boundary, 'each')).toThrow(expect.objectContaining({ code: 'IS_A_DIRECTORY' }));
});

describe('a flush', () => {
  test('is awaited after each line on request', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    const held = hold(boundary, 'each');
    const flush = vi.spyOn(held.file, 'flush');
    const waits = ['a\n', 'b\n', 'c\n'].map(async (line) => {
      held.file.append(line);
      await held.written();
    });
    await Promise.all(waits);
    expect(flush).toHaveBeenCalledTimes(2);
    await held.close();
  });

  test('comes once a second in the background, for all lines since the last one', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const held = hold(boundary, 'background');
    const flush = vi.spyOn(held.file, 'flush');
    for (const line of ['a\n', 'b\n']) {
      held.file.append(line);
      expect(held.written()).toBeUndefined();
    }
    vi.advanceTimersByTime(999);
    expect(flush).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(flush).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(flush).toHaveBeenCalledTimes(1);
    await held.close();
    expect(flush).toHaveBeenCalledTimes(2);
  });

  test('that fails in the background is reported', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failure = await new Promise((resolve) => {
      const held = new HeldLog(boundary, { name: 'log', flush: 'background', onFailure: resolve });
      void held.written();
      // Closed behind its back, so that the flush fails.
      held.file.close();
      vi.advanceTimersByTime(1_000);
    });
    expect(failure).toMatchObject({ code: 'CLOSED' });
  });

  test('that fails on close is reported', async () => {
    using tree = tempTree();
    await using boundary = await openBoundary(tree.path);
    const held = hold(boundary, 'background');
    held.file.close();
    await expect(held.close()).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

test('opening is retried while the name comes and goes', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const busy = new RootwardError('BUSY', { verb: 'append to', path: 'log' });
  const openLog = vi.spyOn(boundary, 'openLog').mockImplementationOnce(() => {
    throw busy;
  });
  await hold(boundary, 'background').close();
  expect(openLog).toHaveBeenCalledTimes(2);
  openLog.mockImplementation(() => {
    throw busy;
  });
  expect(() => hold(boundary, 'background')).toThrow(busy);
});

/** A disk whose flushes end when the test says so. */
function slowDisk(): { flush: () => Promise<void>; flushes: PromiseWithResolvers[] } {
  const flushes: PromiseWithResolvers[] = [];
  const flush = (): Promise<void> => {
    const next = withResolvers();
    flushes.push(next);
    return next.promise;
  };
  return { flush, flushes };
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function withResolvers(): PromiseWithResolvers {
  let settle: Pick<PromiseWithResolvers, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: () => settle?.resolve(), reject: (error) => settle?.reject(error) };
}

test('runs one flush at a time, and concurrent callers share the next', async () => {
  const { flush, flushes } = slowDisk();
  const group = new GroupFlush(flush);
  const [first, second, third] = [group.run(), group.run(), group.run()];
  expect(flushes).toHaveLength(1);
  flushes[0]?.resolve();
  await first;
  await Promise.resolve();
  expect(flushes).toHaveLength(2);
  flushes[1]?.resolve();
  await Promise.all([second, third]);
  expect(flushes).toHaveLength(2);
});

test('starts again for a line that was written during the shared flush', async () => {
  const { flush, flushes } = slowDisk();
  const group = new GroupFlush(flush);
  const first = group.run();
  const second = group.run();
  flushes[0]?.resolve();
  await first;
  await Promise.resolve();
  const third = group.run();
  expect(third).not.toBe(second);
  flushes[1]?.resolve();
  await second;
  await Promise.resolve();
  flushes[2]?.resolve();
  await third;
  expect(flushes).toHaveLength(3);
});

test('never runs two at once, even if one has just ended', async () => {
  let running = 0;
  let most = 0;
  const group = new GroupFlush(async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
  });
  const chains = Array.from({ length: 20 }, async (_, index) => {
    for (let turn = 0; turn < index; turn += 1) await Promise.resolve();
    await group.run();
    await group.run();
  });
  await Promise.all(chains);
  expect(most).toBe(1);
});

test('reports a failure to the callers that shared it, and continues', async () => {
  const { flush, flushes } = slowDisk();
  const group = new GroupFlush(flush);
  const first = group.run();
  const second = group.run();
  flushes[0]?.reject(new Error('EIO'));
  await expect(first).rejects.toThrow('EIO');
  await Promise.resolve();
  flushes[1]?.resolve();
  await second;
});
