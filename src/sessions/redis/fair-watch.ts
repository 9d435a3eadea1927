/** The rejection of a wait that took too long. */
export const late: unique symbol = Symbol('late');

/** Checks per allowed time. */
const checks = 5;

interface WatchedWait {
  /** Cleared when the wait ends, so that the watch holds no finished promise. */
  fail: (() => void) | undefined;
}

/**
 * Bounds waits fairly. Only time in which this process could read its sockets counts: the watch checks a few
 * times, each time after pending input was read. A busy process may leave an answer unread for longer, and that is
 * not the engine's fault. All waits share one timer.
 */
export class FairWatch {
  readonly #pace: number;
  /** Grouped by the check after which they began, oldest first. */
  #waits: WatchedWait[][] = [[]];
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#pace = milliseconds / checks;
  }

  bound<Result>(wait: Promise<Result>): Promise<Result> {
    this.#timer ??= setInterval(() => this.#check(), this.#pace).unref();
    return new Promise((resolve, reject) => {
      const bounded: WatchedWait = { fail: () => reject(late) };
      this.#waits.at(-1)?.push(bounded);
      wait
        .finally(() => {
          bounded.fail = undefined;
        })
        .then(resolve, reject);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const waits = this.#waits.flat();
    this.#waits = [[]];
    for (const { fail } of waits) fail?.();
  }

  #check(): void {
    this.#waits.push([]);
    if (this.#waits.length <= checks) return;
    for (const { fail } of this.#waits.shift() ?? []) fail?.();
  }
}
