import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { createIdleClock, openWeb } from './open-web.ts';

test('listens on loopback, creates links, and closes', async () => {
  using tree = tempTree(['page/index.html = <p>']);
  const web = await openWeb({
    file: tree.at('roots.jsonc'),
    log: tree.at('log'),
    state: tree.at('state'),
    tops: [],
    version: '1',
    page: tree.at('page'),
  });
  expect(web.link()).not.toBe(web.link());
  expect((await fetch(`http://127.0.0.1:${web.port}/`)).status).toBe(200);
  await Promise.all([web.close(), web.close()]);
  await web.ended;
  await expect(fetch(`http://127.0.0.1:${web.port}/`)).rejects.toThrow();
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function listen(clock: ReturnType<typeof createIdleClock>): string[] {
  const heard: string[] = [];
  void clock.over.then((why) => heard.push(why));
  return heard;
}

test('the idle time runs only while no page is open', async () => {
  const clock = createIdleClock(1_000);
  const heard = listen(clock);
  clock.touch(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(heard).toEqual([]);
  clock.touch(false);
  await vi.advanceTimersByTimeAsync(999);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard).toEqual(['idle']);
});

test('an infinite idle time ends when it is stopped', async () => {
  const clock = createIdleClock(Number.POSITIVE_INFINITY);
  const heard = listen(clock);
  clock.touch(false);
  await vi.advanceTimersByTimeAsync(30 * 24 * 60 * 60_000);
  expect(heard).toEqual([]);
  clock.stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual(['closed']);
});
