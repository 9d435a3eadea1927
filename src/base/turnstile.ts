export interface TurnstileOptions {
  /** How many are inside at the same time. */
  readonly inside: number;
  /** How many may wait, and for how many milliseconds. */
  readonly waiting: number;
  readonly patience: number;
}

/** Lets a few in at a time; the others wait for their turn, not for ever, and everything else goes before them. */
export class Turnstile {
  readonly #options: TurnstileOptions;
  readonly #waiting = new Set<(admitted: boolean) => void>();
  #inside = 0;

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  /** Returns how to leave; nothing for who was sent away. */
  async enter(): Promise<(() => void) | undefined> {
    if (this.#inside < this.#options.inside) this.#inside += 1;
    else if (!(await this.#wait())) return undefined;
    let left = false;
    return () => {
      if (!left) this.#leave();
      left = true;
    };
  }

  /** Sends away who waits: there is nothing to wait for. */
  dismiss(): void {
    for (const settle of this.#waiting) settle(false);
  }

  #wait(): Promise<boolean> {
    if (this.#waiting.size >= this.#options.waiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (admitted: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(settle);
        // Not at once: what came in meanwhile is looked at first.
        setImmediate(resolve, admitted);
      };
      const timer = setTimeout(settle, this.#options.patience, false);
      this.#waiting.add(settle);
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inside -= 1;
    else next(true);
  }
}
