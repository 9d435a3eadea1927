import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStallWatch } from './stall-watch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** The clock goes on, and no timer gets its turn. */
function hold(milliseconds: number): void {
  const now = performance.now() + milliseconds;
  vi.spyOn(performance, 'now').mockReturnValue(now);
}

test('names the tool that held the process, when it ends', () => {
  const told: string[] = [];
  const call = createStallWatch({ tell: (line) => void told.push(line) }).enter('edit_file');
  hold(3_100);
  call.leave();
  vi.restoreAllMocks();
  expect(told).toEqual(['Everything else had to wait for 3.1 s while this ran: edit_file\n']);
});

test('says nothing of a call that takes long and lets others run', () => {
  const told: string[] = [];
  const call = createStallWatch({ tell: (line) => void told.push(line) }).enter('search_text');
  vi.advanceTimersByTime(30_000);
  call.leave();
  expect(told).toEqual([]);
});

test('leaves no timer behind', () => {
  const watch = createStallWatch({ tell: () => undefined });
  const [one, other] = [watch.enter('a'), watch.enter('b')];
  expect(vi.getTimerCount()).toBe(1);
  one.leave();
  expect(vi.getTimerCount()).toBe(1);
  other.leave();
  vi.advanceTimersByTime(200);
  expect(vi.getTimerCount()).toBe(0);
});
