/** How far a search has come. */
export interface FindProgress {
  /** Directories seen. */
  readonly directories: number;
  /** Names looked at. */
  readonly entries: number;
  readonly projects: number;
  /** The directory it is at, from where it began and with `/` between names; `.` for that one itself. */
  readonly at: string;
}

export interface ProgressOptions {
  /** Told now and then how far the search has come, and once at its end. */
  readonly onProgress?: (progress: FindProgress) => void;
  /** How many milliseconds lie between two calls at least; 100 by default. */
  readonly progressMilliseconds?: number;
}

/** Counts, and reports not too often. */
export class ProgressReport implements FindProgress {
  readonly #options: ProgressOptions;
  #reported: number = performance.now();
  directories = 1;
  entries = 0;
  projects = 0;
  at = '.';

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Reports if it is time to. */
  tick(): void {
    const { progressMilliseconds = 100 } = this.#options;
    if (performance.now() - this.#reported >= progressMilliseconds) this.report();
  }

  report(): void {
    const { directories, entries, projects, at } = this;
    this.#options.onProgress?.({ directories, entries, projects, at });
    this.#reported = performance.now();
  }
}
