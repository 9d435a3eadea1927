export interface TurnstileOptions {
  /** How many may be inside at the same time. */
  readonly places: number;
  /** How many may wait for a place. */
  readonly waiting: number;
}

/** How long one caller waits for a place. */
export interface TurnstileWait {
  readonly milliseconds: number;
  readonly signal?: AbortSignal;
}

/** Admits a few callers at a time; the others wait in order of arrival, for a bounded time. */
export class Turnstile {
  readonly #options: TurnstileOptions;
  readonly #waiting = new Set<(admitted: boolean) => void>();
  #inside = 0;

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  /**
   * Resolves to a release function, or to `undefined` when the queue is full or the wait took too long.
   *
   * @throws the abort reason of the signal
   */
  async enter(wait: TurnstileWait): Promise<(() => void) | undefined> {
    wait.signal?.throwIfAborted();
    if (this.#inside < this.#options.places) this.#inside += 1;
    else if (!(await this.#wait(wait))) return undefined;
    let left = false;
    return () => {
      if (!left) this.#leave();
      left = true;
    };
  }

  /**
   * Runs `run` inside; resolves to `full` where `enter` resolves to `undefined`.
   *
   * @throws the error of `run`, and the abort reason of the signal
   */
  async pass<Result>(run: () => Promise<Result>, wait: TurnstileWait): Promise<Result | 'full'> {
    const leave = await this.enter(wait);
    if (leave === undefined) return 'full';
    try {
      return await run();
    } finally {
      leave();
    }
  }

  /** Refuses every caller that is waiting. */
  dismiss(): void {
    for (const settle of this.#waiting) settle(false);
  }

  async #wait({ milliseconds, signal }: TurnstileWait): Promise<boolean> {
    if (this.#waiting.size >= this.#options.waiting) return false;
    const admitted = await new Promise<boolean>((resolve) => {
      const settle = (isIn: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiting.delete(settle);
        // Deferred, so that pending I/O runs before the next caller.
        setImmediate(resolve, isIn);
      };
      const giveUp = (): void => settle(false);
      const timer = setTimeout(giveUp, milliseconds);
      signal?.addEventListener('abort', giveUp);
      this.#waiting.add(settle);
    });
    if (!admitted) signal?.throwIfAborted();
    return admitted;
  }

  /** Passes the place to the caller that has waited longest, without freeing it in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inside -= 1;
    else next(true);
  }
}
