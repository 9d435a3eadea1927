import type { Call } from './call.ts';

/**
 * Calls that are running, by the signal that all copies of a context have in common. Most clients wait for one
 * before they send the next: that one has a place of its own, and no table is built anew for it.
 */
export class RunningCalls {
  #signal: AbortSignal | undefined;
  #call: Call | undefined;
  readonly #others = new Map<AbortSignal, Call>();

  get size(): number {
    return this.#others.size + (this.#signal === undefined ? 0 : 1);
  }

  add(signal: AbortSignal, call: Call): void {
    if (this.#signal !== undefined) {
      this.#others.set(signal, call);
      return;
    }
    this.#signal = signal;
    this.#call = call;
  }

  find(signal: AbortSignal): Call | undefined {
    return signal === this.#signal ? this.#call : this.#others.get(signal);
  }

  remove(signal: AbortSignal): void {
    if (signal !== this.#signal) {
      this.#others.delete(signal);
      return;
    }
    this.#signal = undefined;
    this.#call = undefined;
  }
}
