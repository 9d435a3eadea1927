import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a loop may hold the process before it lets others run. */
const turn = 8;

/**
 * Long work in short turns. Ask `isOver` in every round of a loop, and wait for `next` where it is: other calls run
 * meanwhile, and a call that was cancelled ends there.
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

  /** @throws the reason of the signal */
  async next(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + turn;
  }
}
