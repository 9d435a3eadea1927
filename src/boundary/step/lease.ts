import { RootwardError } from '../../errors.ts';

/**
 * Counts the operations that use a handle, so that it is closed when the last of them ends and not before:
 * otherwise its number could be reused for another file.
 */
export class Lease {
  readonly #root: string;
  readonly #release: () => void;
  #running = 0;
  #closed: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;
  /** Created on demand: most handles are short-lived. */
  #closing: AbortController | undefined;

  constructor(root: string, release: () => void) {
    this.#root = root;
    this.#release = release;
  }

  /** Aborted when the handle is about to be closed, for operations that would otherwise run forever. */
  get closing(): AbortSignal {
    this.#closing ??= new AbortController();
    if (this.#closed !== undefined) this.#abort();
    return this.#closing.signal;
  }

  /** Runs an operation that needs the handle. */
  async use<Result>(run: () => Result | Promise<Result>): Promise<Result> {
    const leave = this.enter();
    try {
      return await run();
    } finally {
      leave();
    }
  }

  /**
   * For operations that outlive a call, such as a stream. Returns a release function; calling it twice is
   * harmless.
   */
  enter(): () => void {
    if (this.#closed !== undefined) throw new RootwardError('CLOSED', { root: this.#root });
    this.#running += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#running -= 1;
      if (this.#running === 0) this.#whenIdle?.();
    };
  }

  /** Refuses new operations at once, and resolves when the running ones have ended. */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = this.#idle().then(this.#release);
      this.#abort();
    }
    return this.#closed;
  }

  #abort(): void {
    this.#closing?.abort(new RootwardError('CLOSED', { root: this.#root }));
  }

  async #idle(): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }
}
