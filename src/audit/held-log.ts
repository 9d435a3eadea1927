import type { Boundary } from '../boundary/boundary.ts';
import type { LogFile } from '../boundary/write/log-file.ts';
import { RootwardError } from '../errors.ts';

export interface HeldLogOptions {
  readonly name: string;
  /** Waits for the disk after each line, or flushes in the background. */
  readonly flush: 'each' | 'background';
  /** Called when a background flush fails. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds within which a line is flushed in the background. */
const flushWithin = 1_000;

/** An open log file and its pending flushes. */
export class HeldLog {
  readonly file: LogFile;
  readonly #options: HeldLogOptions;
  readonly #flush: GroupFlush;
  #timer: NodeJS.Timeout | undefined;

  constructor(boundary: Boundary, options: HeldLogOptions) {
    this.file = openFile(boundary, options.name);
    this.#options = options;
    this.#flush = new GroupFlush(() => this.file.flush());
  }

  /**
   * Must be called in the same turn as the append. Returns a promise if the line has to wait for the disk.
   */
  written(): void | Promise<void> {
    if (this.#options.flush === 'each') return this.#flush.run();
    this.#timer ??= setTimeout(this.#flushNow, flushWithin).unref();
  }

  /** Flushes everything, then closes the file. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#flush.run();
    } finally {
      this.file.close();
    }
  }

  readonly #flushNow = (): void => {
    this.#timer = undefined;
    this.#flush.run().catch(this.#options.onFailure);
  };
}

/** The name may be missing for moments while another process rotates. */
const attempts = 16;

function openFile(boundary: Boundary, name: string): LogFile {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return boundary.openLog(name, { mode: 0o600 });
    } catch (error) {
      if (!RootwardError.is(error, 'BUSY') || attempt === attempts) throw error;
    }
  }
}

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

  /** Resolves when everything written before this call is on the disk. */
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
