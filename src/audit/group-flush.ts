/**
 * Flushes a file for many lines at once: at most one flush runs, and lines that are written meanwhile share
 * the next one. A flush counts for a line only if it began after the line was written.
 */
export class GroupFlush {
  readonly #flush: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when what was written before this call is on the disk. */
  run(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#start();
    const start = (): Promise<void> => this.#start();
    this.#next = this.#running.then(start, start);
    return this.#next;
  }

  #start(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#flush().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
