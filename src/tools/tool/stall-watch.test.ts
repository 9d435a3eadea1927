import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StallThread } from '../../boundary/process/stall-thread.ts';
import { createStallWatch, type StallWatch } from './stall-watch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Advances the clock without running any timer. */
function hold(milliseconds: number): void {
  const now = performance.now() + milliseconds;
  vi.spyOn(performance, 'now').mockReturnValue(now);
}

test('names the tool that blocked the process, when it ends', () => {
  const told: string[] = [];
  const call = createStallWatch({ report: (line) => void told.push(line) }).enter('edit_file');
  hold(3_100);
  call.leave();
  vi.restoreAllMocks();
  expect(told).toEqual(['Everything else had to wait for 3.1 s while this ran: edit_file\n']);
});

test('ignores a long call that yields to others', () => {
  const told: string[] = [];
  const call = createStallWatch({ report: (line) => void told.push(line) }).enter('search_text');
  vi.advanceTimersByTime(30_000);
  call.leave();
  expect(told).toEqual([]);
});

test('leaves no timer behind', () => {
  const watch = createStallWatch({ report: () => undefined });
  const [one, other] = [watch.enter('a'), watch.enter('b')];
  expect(vi.getTimerCount()).toBe(1);
  one.leave();
  expect(vi.getTimerCount()).toBe(1);
  other.leave();
  vi.advanceTimersByTime(200);
  expect(vi.getTimerCount()).toBe(0);
});

/** A thread that ends something when the test says so. */
function fakeThread(): { readonly thread: StallThread; readonly end: () => void } {
  let ended = 0;
  const nothing = (): void => undefined;
  const thread = { watch: nothing, rest: nothing, beat: nothing, ended: () => ended, close: nothing };
  return { thread, end: () => void (ended += 1) };
}

describe('after blocking code was ended', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  function start(): { readonly watch: StallWatch; readonly told: string[]; readonly end: () => void } {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout'] });
    const told: string[] = [];
    const { thread, end } = fakeThread();
    const watch = createStallWatch({ report: (line) => void told.push(line), startThread: () => thread });
    return { watch, told, end };
  }

  test('the only call is refused at once', async () => {
    const { watch, told, end } = start();
    const running = watch.enter('a').run(never);
    end();
    vi.advanceTimersByTime(200);
    await expect(running).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
    expect(told).toEqual([expect.stringMatching(/while this ran: a\. It was ended/)]);
  });

  test('a part is refused first, and its call may continue', async () => {
    const { watch, end } = start();
    const call = watch.enter('a');
    const part = vi.fn(async () => call.run(never));
    const running = call.run(async () => part().catch(({ code }: { code: string }) => code));
    await vi.waitFor(() => expect(part).toHaveBeenCalled());
    await new Promise(setImmediate);
    end();
    vi.advanceTimersByTime(200);
    expect(await running).toBe('TOO_MUCH_WORK');
  });

  test('the last of several calls is refused, once the others have ended', async () => {
    const { watch, end } = start();
    const [one, other] = [watch.enter('a'), watch.enter('b')];
    const running = one.run(never);
    end();
    vi.advanceTimersByTime(200);
    const isRefused = vi.fn();
    running.catch(isRefused);
    await new Promise(setImmediate);
    expect(isRefused).not.toHaveBeenCalled();
    other.leave();
    await expect(running).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
  });

  test('all calls that have not ended after five seconds are refused', async () => {
    const { watch, end } = start();
    const running = [watch.enter('a').run(never), watch.enter('b').run(never)];
    const settled = Promise.allSettled(running);
    end();
    vi.advanceTimersByTime(5_200);
    expect(await settled).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  });

  test('a call that began afterwards goes on', async () => {
    const { watch, end } = start();
    const running = watch.enter('a').run(never);
    end();
    const later = watch.enter('b').run(() => 'done');
    vi.advanceTimersByTime(200);
    await expect(running).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
    expect(await later).toBe('done');
  });
});
