interface WaitingRun {
  readonly done: Promise<void>;
  readonly settle: (running: Promise<void>) => void;
}

/** Runs a function for keys: each key once at a time, few keys at once, and again if requested meanwhile. */
export class WatchQueue {
  readonly #waiting = new Map<string, WaitingRun>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #run: (key: string) => Promise<void>;
  readonly #most: number;

  constructor(run: (key: string) => Promise<void>, most = 16) {
    this.#run = run;
    this.#most = most;
  }

  /** Resolves after a run that began after this call. */
  push(key: string): Promise<void> {
    const waiting = this.#waiting.get(key) ?? createWaiting();
    this.#waiting.set(key, waiting);
    this.#advance();
    return waiting.done;
  }

  /** Drops the waiting keys, and resolves when nothing runs. */
  async stop(): Promise<void> {
    for (const { settle } of this.#waiting.values()) settle(Promise.resolve());
    this.#waiting.clear();
    await Promise.allSettled(this.#running.values());
  }

  #advance(): void {
    for (const [key, { settle }] of this.#waiting) {
      if (this.#running.size >= this.#most) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      const running = this.#run(key).finally(() => {
        this.#running.delete(key);
        this.#advance();
      });
      this.#running.set(key, running);
      settle(running);
    }
  }
}

function createWaiting(): WaitingRun {
  let settle: WaitingRun['settle'] = () => {};
  const done = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { done, settle };
}
