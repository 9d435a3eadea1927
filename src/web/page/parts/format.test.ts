import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runHook } from '../../../../test/support/browser/run-hook.ts';
import { ago, clock, counted, useNow } from './format.tsx';

const now = Date.parse('2026-01-02T12:00:00.000Z');

test.each([
  ['2026-01-02T11:59:58.000Z', 'now'],
  ['2026-01-02T11:59:30.000Z', '30 s ago'],
  ['2026-01-02T11:50:00.000Z', '10 min ago'],
  ['2026-01-02T09:00:00.000Z', '3 h ago'],
  ['2025-12-01T09:00:00.000Z', '2025-12-01'],
])('%s was %s', (time, words) => {
  expect(ago(time, now)).toBe(words);
});

test('a time of another day shows the day', () => {
  expect(clock('2026-01-02T12:00:00.000Z', new Date(now))).toMatch(/^\d{1,2}:\d{2}:\d{2}$/);
  expect(clock('2026-03-05T12:00:00.000Z', new Date(now))).toMatch(/^Mar \d, \d\d:\d\d$/);
  expect(clock('2025-01-02T12:00:00.000Z', new Date(now))).toBe('2025-01-02');
  expect(clock('soon')).toBe('soon');
});

test('uses the singular for one', () => {
  expect([counted(1, 'root'), counted(10_000, 'root'), counted(0, 'entry', 'entries')]).toEqual([
    '1 root',
    '10,000 roots',
    '0 entries',
  ]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('updates the time while a component shows it', async () => {
  const running = await runHook(useNow);
  const before = running.result();
  await running.act(() => void vi.advanceTimersByTime(60_000));
  expect(running.result() - before).toBeGreaterThanOrEqual(55_000);
  await running.end();
  expect(vi.getTimerCount()).toBe(0);
});
