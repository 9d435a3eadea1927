import { createContext, Script } from 'node:vm';

/** Work that was ended because it took too long. */
export const ended: unique symbol = Symbol('ended');

/**
 * Runs something that does not wait for anything, and ends it when it takes too long: on the thread of everything else,
 * where nothing but the engine itself can end it. `work` must leave nothing behind when it is ended midway.
 *
 * Bounds the time, not the memory: what goes in has to be bounded. Takes about a millisecond.
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
