import type { Boundary } from '../boundary/boundary.ts';
import type { WatchEvent } from '../boundary/read/watch.ts';

/** Milliseconds between checks where the system reports no changes, as on network file systems. */
const lookEvery = 500;

/**
 * Signals that the directory of a boundary may have changed: by events of the system, and by regular checks
 * in case there are none. Several changes are merged into one signal. Ends with the abort signal or with
 * `close`.
 */
export class ChangeSignal {
  readonly #closing = new AbortController();
  readonly #stop: AbortSignal;
  #changed = false;
  #wake: (() => void) | undefined;

  /** Reports changes that happen after construction. */
  constructor(boundary: Boundary, signal: AbortSignal | undefined) {
    const { signal: closing } = this.#closing;
    this.#stop = signal === undefined ? closing : AbortSignal.any([closing, signal]);
    this.#stop.addEventListener('abort', this.#notify, { once: true });
    const events = watchIfPossible(boundary, this.#stop);
    if (events !== undefined) void this.#follow(events);
  }

  /** Waits for a change or the next regular check. Resolves to `false` at the end. */
  async next(): Promise<boolean> {
    if (!this.#changed && !this.#stop.aborted) await this.#wait();
    this.#changed = false;
    return !this.#stop.aborted;
  }

  close(): void {
    this.#stop.removeEventListener('abort', this.#notify);
    this.#closing.abort();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookEvery);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #follow(events: AsyncIterable<WatchEvent>): Promise<void> {
    try {
      for await (const _ of events) this.#notify();
    } catch {
      // The watch ended. Regular checks continue.
    }
    this.#notify();
  }

  readonly #notify = (): void => {
    this.#changed = true;
    this.#wake?.();
  };
}

/** The system may be out of watches. */
function watchIfPossible(boundary: Boundary, signal: AbortSignal): AsyncIterable<WatchEvent> | undefined {
  try {
    return boundary.watch('.', { signal });
  } catch {
    return undefined;
  }
}
