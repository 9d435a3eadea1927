import { vi } from 'vitest';

/** Waits until something holds, with a bound that suits a busy machine. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 30_000, interval: 40 });
}
