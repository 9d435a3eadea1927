/** What a wait that took too long fails with. */
export const late: unique symbol = Symbol('late');

/** Looks within the time that something may take, and at most if others are answered meanwhile. */
const looks = 5;
const most = 40;

interface Wait {
  readonly since: number;
  readonly fail: () => void;
}

/**
 * Bounds waits for one who answers in turn. What counts is its silence, in time that this process was free to
 * hear it: under load answers lie there unread, and that is not the fault of who sent them. One timer for all.
 */
export class FairWatch {
  readonly #pace: number;
  /** In the order in which they began. */
  readonly #waits = new Map<object, Wait>();
  #timer: NodeJS.Timeout | undefined;
  #look = 0;
  /** The look at which something was answered last. */
  #heard = 0;

  constructor(milliseconds: number) {
    this.#pace = milliseconds / looks;
  }

  bound<Result>(wait: Promise<Result>): Promise<Result> {
    this.#timer ??= setInterval(() => this.#tick(), this.#pace).unref();
    return new Promise((resolve, reject) => {
      this.#waits.set(wait, { since: this.#look, fail: () => reject(late) });
      wait.then(resolve, reject).finally(() => {
        this.#waits.delete(wait);
        this.#heard = this.#look;
      });
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
    const silent = this.#look - this.#heard >= looks;
    for (const [wait, { since, fail }] of this.#waits) {
      const waited = this.#look - since;
      if (waited < looks || (!silent && waited < most)) return;
      this.#waits.delete(wait);
      fail();
    }
  }
}
