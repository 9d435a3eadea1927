import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a loop may occupy the process before it yields. */
const turn = 8;

/**
 * Splits long work into short turns. Check `isOver` in every round of a loop and await `next` when it is
 * true: other calls run in between, and cancelled work stops there.
 */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #end = performance.now() + turn;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /**
   * @throws the abort reason of the signal
   */
  async next(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + turn;
  }
}
