import type { Writable } from 'node:stream';

/** Bytes that may wait for a slow reader before the other side is no longer read. */
const most = 1024 * 1024;

export interface WriterListener {
  /** More than a mebibyte waits: the source must be paused. */
  full(): void;
  /** The reader has caught up. */
  drained(): void;
  /** The reader is gone. */
  failed(): void;
}

/**
 * Writes lines. Those that are ready together go out in one system call, and a reader that is slow stops the source
 * instead of filling the memory.
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #listener: WriterListener;
  #corked = false;
  #full = false;
  #closed = false;

  constructor(output: Writable, listener: WriterListener) {
    this.#output = output;
    this.#listener = listener;
    output.on('error', this.#fail).on('close', this.#fail).on('drain', this.#drain);
  }

  /** Writes after the end are dropped. */
  write(line: Buffer | string): void {
    if (this.#closed) return;
    const output = this.#output;
    if (!this.#corked) {
      this.#corked = true;
      output.cork();
      process.nextTick(this.#flush);
    }
    output.write(line);
    if (this.#full || output.writableLength < most) return;
    this.#full = true;
    this.#listener.full();
  }

  /** Writes a value as one line. */
  send(message: object): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** Drops everything that is written from now on. */
  close(): void {
    this.#closed = true;
  }

  readonly #flush = (): void => {
    this.#corked = false;
    this.#output.uncork();
  };

  readonly #drain = (): void => {
    if (!this.#full) return;
    this.#full = false;
    this.#listener.drained();
  };

  readonly #fail = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener.failed();
  };
}
