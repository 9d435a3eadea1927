import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settleFor, whenSettled } from './consent-dialog.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('settles after a moment without input', () => {
  const run = vi.fn<() => void>();
  whenSettled(new EventTarget(), run);
  vi.advanceTimersByTime(settleFor - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
});

test.each(['keydown', 'pointerdown'])('each %s restarts the moment', (kind) => {
  const presses = new EventTarget();
  const run = vi.fn<() => void>();
  whenSettled(presses, run);
  for (let count = 0; count < 5; count += 1) {
    vi.advanceTimersByTime(settleFor - 1);
    presses.dispatchEvent(new Event(kind));
  }
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(settleFor);
  presses.dispatchEvent(new Event(kind));
  vi.advanceTimersByTime(settleFor);
  expect(run).toHaveBeenCalledOnce();
});

test('does not settle after it was stopped', () => {
  const run = vi.fn<() => void>();
  whenSettled(new EventTarget(), run)();
  vi.advanceTimersByTime(settleFor * 2);
  expect(run).not.toHaveBeenCalled();
});
