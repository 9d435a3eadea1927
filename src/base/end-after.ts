import { createContext, Script } from 'node:vm';

/** Returned in place of a result when the work ran out of time. */
export const ended: unique symbol = Symbol('ended');

/**
 * Runs synchronous work and ends it when it takes too long. The work runs on the main thread, where only the
 * engine can interrupt it; interrupted work must leave no half-made state behind.
 *
 * Bounds the time, not the memory: the caller bounds the input. Costs about a millisecond.
 */
export function endAfter<Result>(milliseconds: number, work: () => Result): Result | typeof ended {
  const place: { work: () => void; result: Result | typeof ended } = {
    work: () => void (place.result = work()),
    result: ended,
  };
  try {
    new Script('work()').runInContext(createContext(place), { timeout: milliseconds });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  return place.result;
}
