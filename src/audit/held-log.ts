import type { Boundary } from '../boundary/boundary.ts';
import type { LogFile } from '../boundary/write/log-file.ts';
import { RootwardError } from '../errors.ts';

export interface HeldLogOptions {
  readonly name: string;
  /** Wait for the disk after each line, or flush in the background. */
  readonly flush: 'each' | 'background';
  /** A flush in the background failed. */
  readonly onFailure: (error: unknown) => void;
}

/** How long a line may wait for its flush in the background. */
const flushWithin = 1_000;

/** A log file together with the flushes that it owes. */
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

  /** To be called in the same turn as the append. Returns a promise if the line has to wait for the disk. */
  written(): void | Promise<void> {
    if (this.#options.flush === 'each') return this.#flush.run();
    this.#timer ??= setTimeout(this.#flushNow, flushWithin).unref();
  }

  /** Has everything on the disk, then lets the file go. */
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

/** The name may come and go while others rotate. */
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
