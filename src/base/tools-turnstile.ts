/** Lets so many through at a time; others wait for their turn. */
export interface Turnstile {
  /**
   * Runs something as soon as there is a place. `full` if too many wait already, or the wait took too long.
   *
   * @throws what `run` throws, and the reason of the signal
   */
  pass<Result>(run: () => Promise<Result>, wait: Wait): Promise<Result | 'full'>;
}

/** How long somebody is willing to wait. */
export interface Wait {
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

export interface TurnstileOptions {
  /** How many at a time. */
  readonly places: number;
  /** How many may wait. */
  readonly waiting: number;
}

export function createTurnstile({ places, waiting }: TurnstileOptions): Turnstile {
  let free = places;
  const queue = new Set<() => void>();
  const enter = async (wait: Wait): Promise<boolean> => {
    if (free === 0) return queue.size < waiting && (await takeTurn(queue, wait));
    free -= 1;
    return true;
  };
  /** A place goes to whoever waits longest, without being free in between. */
  const leave = (): void => {
    const [next] = queue;
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async pass(run, wait) {
      wait.signal.throwIfAborted();
      if (!(await enter(wait))) return 'full';
      try {
        return await run();
      } finally {
        leave();
      }
    },
  };
}

/** Whether a place was handed over in time. Whoever got one is out of the queue in the same moment. */
async function takeTurn(queue: Set<() => void>, { milliseconds, signal }: Wait): Promise<boolean> {
  const isIn = await new Promise<boolean>((resolve) => {
    const end = (handed: boolean): void => {
      queue.delete(called);
      clearTimeout(timer);
      signal.removeEventListener('abort', givenUp);
      resolve(handed);
    };
    const called = (): void => end(true);
    const givenUp = (): void => end(false);
    const timer = setTimeout(givenUp, milliseconds);
    signal.addEventListener('abort', givenUp);
    queue.add(called);
  });
  if (!isIn) signal.throwIfAborted();
  return isIn;
}
