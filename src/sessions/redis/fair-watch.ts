/** What a wait that took too long fails with. */
export const late: unique symbol = Symbol('late');

/** Looks within the time that something may take. */
const looks = 5;

interface WatchedWait {
  /** Absent once it is over, so that nothing is held by who only looks. */
  fail: (() => void) | undefined;
}

/**
 * Bounds waits. What counts is time in which this process was free to hear: it looks a few times, and each look
 * comes after what had arrived was read. Under load an answer may lie there unread for longer, and that is not
 * the fault of who sent it. One timer for all.
 */
export class FairWatch {
  readonly #pace: number;
  /** By the look after which they began, the oldest first. */
  #waits: WatchedWait[][] = [[]];
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#pace = milliseconds / looks;
  }

  bound<Result>(wait: Promise<Result>): Promise<Result> {
    this.#timer ??= setInterval(() => this.#look(), this.#pace).unref();
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

  #look(): void {
    this.#waits.push([]);
    if (this.#waits.length <= looks) return;
    for (const { fail } of this.#waits.shift() ?? []) fail?.();
  }
}
