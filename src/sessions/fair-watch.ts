/** What a wait that took too long fails with. */
export const late: unique symbol = Symbol('late');

/** Looks within the time that something may take. */
const looks = 5;

/**
 * Bounds waits in time that this process was free to see their end: while it is busy with other things the
 * answer may lie there unread, and that is not the fault of who sent it. One timer for all of them.
 */
export class FairWatch {
  readonly #pace: number;
  /** In the order in which they began: how many looks each has left to fail. */
  readonly #waits = new Map<object, { readonly until: number; readonly fail: () => void }>();
  #timer: NodeJS.Timeout | undefined;
  #look = 0;

  constructor(milliseconds: number) {
    this.#pace = milliseconds / looks;
  }

  bound<Result>(wait: Promise<Result>): Promise<Result> {
    this.#timer ??= setInterval(() => this.#tick(), this.#pace).unref();
    return new Promise((resolve, reject) => {
      this.#waits.set(wait, { until: this.#look + looks, fail: () => reject(late) });
      wait.then(resolve, reject).finally(() => this.#waits.delete(wait));
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const { fail } of this.#waits.values()) fail();
    this.#waits.clear();
  }

  #tick(): void {
    this.#look += 1;
    for (const [wait, { until, fail }] of this.#waits) {
      if (until > this.#look) return;
      this.#waits.delete(wait);
      fail();
    }
  }
}
