import type { Call } from './call.ts';

/**
 * Calls that are running, by what all copies of a context have in common. Most clients wait for one before they
 * send the next: that one has a place of its own, and no table is built anew for it.
 */
export class RunningCalls {
  #mark: object | undefined;
  #call: Call | undefined;
  readonly #others = new Map<object, Call>();

  get size(): number {
    return this.#others.size + (this.#call === undefined ? 0 : 1);
  }

  /** One without a mark cannot be found again, and is not kept. */
  add(call: Call): void {
    const { mark } = call;
    if (mark === undefined) return;
    if (this.#call !== undefined) {
      this.#others.set(mark, call);
      return;
    }
    this.#mark = mark;
    this.#call = call;
  }

  find(mark: object): Call | undefined {
    return mark === this.#mark ? this.#call : this.#others.get(mark);
  }

  remove(call: Call): void {
    if (call === this.#call) {
      this.#mark = undefined;
      this.#call = undefined;
    } else if (call.mark !== undefined) this.#others.delete(call.mark);
  }
}
