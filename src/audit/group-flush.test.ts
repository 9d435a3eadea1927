import { expect, test } from 'vitest';
import { GroupFlush } from './group-flush.ts';

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

test('runs one flush at a time, and those who come meanwhile share the next', async () => {
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

test('begins anew for a line that was written while the shared flush was running', async () => {
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

test('never runs two, not even when one has ended in this very moment', async () => {
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

test('tells a failure to those who shared it, and goes on', async () => {
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
