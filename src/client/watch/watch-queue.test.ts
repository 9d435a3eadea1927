import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WatchQueue } from './watch-queue.ts';

/** A queue whose runs end on demand. */
function stepped(most: number): { queue: WatchQueue; began: string[]; end: (key: string) => void } {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (key: string): Promise<void> =>
    new Promise((resolve) => {
      began.push(key);
      ends.set(key, resolve);
    });
  return { queue: new WatchQueue(run, most), began, end: (key) => ends.get(key)?.() };
}

test('runs a key once at a time, and again if it was requested meanwhile', async () => {
  const { queue, began, end } = stepped(4);
  const first = queue.push('a');
  const second = queue.push('a');
  expect(queue.push('a')).toBe(second);
  expect(began).toEqual(['a']);
  end('a');
  await first;
  await setImmediate();
  expect(began).toEqual(['a', 'a']);
  end('a');
  await second;
});

test('runs a few keys at once, the others in order', async () => {
  const { queue, began, end } = stepped(2);
  const all = ['a', 'b', 'c', 'd'].map((key) => queue.push(key));
  expect(began).toEqual(['a', 'b']);
  end('b');
  await all[1];
  await setImmediate();
  expect(began).toEqual(['a', 'b', 'c']);
});

test('stopping drops waiting keys and waits for running ones', async () => {
  const { queue, began, end } = stepped(1);
  const all = [queue.push('a'), queue.push('b')];
  const stopped = queue.stop();
  end('a');
  await Promise.all([...all, stopped]);
  expect(began).toEqual(['a']);
});

test('a failing run rejects its own promise, and others go on', async () => {
  const queue = new WatchQueue(async (key) => {
    if (key === 'bad') throw new Error('no');
  }, 1);
  await expect(queue.push('bad')).rejects.toThrow('no');
  await expect(queue.push('good')).resolves.toBeUndefined();
});
