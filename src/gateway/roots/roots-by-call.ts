/** Milliseconds after which a client that announces no changes is asked again, with its next call. */
const freshness = 30_000;

/**
 * The roots of a client of 2026-07-28, which can be asked only by an answer to one of its calls, and does not say when
 * they change.
 */
export class RootsByCall {
  readonly #changed: () => void;
  readonly #now: () => number;
  #waiting: ((result: unknown) => void)[] = [];
  /** An answer that came without a question of the gateway waiting for it. */
  #unread: { readonly result: unknown } | undefined;
  #saidAt: number | undefined;

  /** `changed` is called when the client has said its roots again. */
  constructor(changed: () => void, now: () => number = () => performance.now()) {
    this.#changed = changed;
    this.#now = now;
  }

  /** Whether the client is to be asked with its next call. */
  readonly wanted = (): boolean =>
    this.#waiting.length > 0 || (this.#saidAt !== undefined && this.#now() - this.#saidAt > freshness);

  /** Waits for the answer, which comes with a call. */
  ask(): Promise<unknown> {
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread !== undefined) return Promise.resolve(unread.result);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly said = (result: unknown): void => {
    this.#saidAt = this.#now();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(result);
    if (waiting.length > 0) return;
    this.#unread = { result };
    this.#changed();
  };
}
