/** What a wait that took too long fails with. */
export const late: unique symbol = Symbol('late');

/** Looks within the time that something may take, and at most if who answers in turn answers others meanwhile. */
const looks = 5;
const most = 40;

interface Wait {
  /** Absent once it is over, so that nothing is held by who only looks. */
  fail: (() => void) | undefined;
}

/**
 * Bounds waits. What counts is silence, in time in which this process was free to hear: it looks a few times, and
 * each look comes after what had arrived was read. Under load an answer may lie there unread for longer, and that
 * is not the fault of who sent it. Where all answers come in turn from one, an answer to another wait is a sign
 * that the turn of this one comes; a failure is none. One timer for all.
 */
export class FairWatch {
  readonly #pace: number;
  readonly #inTurn: boolean;
  /** By the look after which they began, the oldest first. */
  #waits: Wait[][] = [[]];
  #timer: NodeJS.Timeout | undefined;
  /** Looks since something was answered. */
  #silence = 0;

  constructor(milliseconds: number, { inTurn }: { readonly inTurn: boolean }) {
    this.#pace = milliseconds / looks;
    this.#inTurn = inTurn;
  }

  bound<Result>(wait: Promise<Result>): Promise<Result> {
    this.#timer ??= setInterval(() => this.#look(), this.#pace).unref();
    return new Promise((resolve, reject) => {
      const bounded: Wait = { fail: () => reject(late) };
      this.#waits.at(-1)?.push(bounded);
      this.#hear(wait, bounded).then(resolve, reject);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const waits = this.#waits.flat();
    this.#waits = [[]];
    for (const { fail } of waits) fail?.();
  }

  async #hear<Result>(wait: Promise<Result>, bounded: Wait): Promise<Result> {
    try {
      const result = await wait;
      this.#silence = 0;
      return result;
    } finally {
      bounded.fail = undefined;
    }
  }

  #look(): void {
    this.#waits.push([]);
    this.#silence += 1;
    const bound = this.#inTurn && this.#silence < looks ? most : looks;
    while (this.#waits.length > bound) for (const { fail } of this.#waits.shift() ?? []) fail?.();
  }
}
