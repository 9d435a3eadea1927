/** Lets a few in at a time; the others wait for their turn, and everything else goes before them. */
export class Turnstile {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns how to leave, which must be done once. */
  async enter(): Promise<() => void> {
    if (this.#inside >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    let left = false;
    return () => {
      if (!left) this.#leave();
      left = true;
    };
  }

  #leave(): void {
    const next = this.#waiting.shift();
    // Not at once: what came in meanwhile is looked at first.
    if (next === undefined) this.#inside -= 1;
    else setImmediate(next);
  }
}
