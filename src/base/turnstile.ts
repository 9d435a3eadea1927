export interface TurnstileOptions {
  /** How many are inside at the same time. */
  readonly places: number;
  /** How many may wait for a place. */
  readonly waiting: number;
}

/** How long one visitor waits for a place. */
export interface TurnstileWait {
  readonly milliseconds: number;
  readonly signal?: AbortSignal;
}

/** Lets a few in at a time; the others wait in their order, for a bounded time. */
export class Turnstile {
  readonly #options: TurnstileOptions;
  readonly #waiting = new Set<(admitted: boolean) => void>();
  #inside = 0;

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  /**
   * Resolves to a function that leaves again, or to `undefined` where too many wait already or the wait took too long.
   *
   * @throws the reason of the signal
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
   * Runs something inside; `full` where `enter` lets nothing in.
   *
   * @throws what `run` throws, and the reason of the signal
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

  /** Turns everyone away who waits. */
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
        // Not at once: what came in meanwhile is looked at first.
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

  /** The place goes to the visitor who has waited longest, without being free in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inside -= 1;
    else next(true);
  }
}
