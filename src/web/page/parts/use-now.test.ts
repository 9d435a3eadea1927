import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runHook } from '../../../../test/web/run-hook.ts';
import { useNow } from './use-now.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the time goes on by itself, and ends with what shows it', async () => {
  const running = await runHook(useNow);
  const before = running.result();
  await running.act(() => void vi.advanceTimersByTime(60_000));
  expect(running.result() - before).toBeGreaterThanOrEqual(55_000);
  await running.end();
  expect(vi.getTimerCount()).toBe(0);
});
