import { RootwardError } from '../../errors.ts';

/**
 * Counts the operations that use a handle, so that it is closed when the last of them ends and not before:
 * its number could be given to another file meanwhile.
 */
export class Lease {
  readonly #root: string;
  readonly #release: () => void;
  #running = 0;
  #closed: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;
  /** Made when somebody wants to know: most handles live too shortly for that. */
  #closing: AbortController | undefined;

  constructor(root: string, release: () => void) {
    this.#root = root;
    this.#release = release;
  }

  /** Aborted when the handle is about to be closed: for what would otherwise run for ever. */
  get closing(): AbortSignal {
    this.#closing ??= new AbortController();
    if (this.#closed !== undefined) this.#abort();
    return this.#closing.signal;
  }

  /** Runs something that needs the handle. */
  async use<Result>(run: () => Result | Promise<Result>): Promise<Result> {
    const leave = this.enter();
    try {
      return await run();
    } finally {
      leave();
    }
  }

  /** For what outlives a call, such as a stream. Leaving twice counts once. */
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
