/** Tells when nobody has looked for a while. */
export interface IdleClock {
  /** Something happened; while somebody looks, no time passes. */
  touch(watched: boolean): void;
  readonly over: Promise<'idle' | 'closed'>;
  stop(): void;
}

/** With `Infinity` it waits until it is stopped. */
export function createIdleClock(milliseconds: number): IdleClock {
  let end: (why: 'idle' | 'closed') => void = () => {};
  const over = new Promise<'idle' | 'closed'>((resolve) => {
    end = resolve;
  });
  const start = (): NodeJS.Timeout | undefined =>
    milliseconds === Number.POSITIVE_INFINITY
      ? undefined
      : setTimeout(() => end('idle'), milliseconds).unref();
  let timer = start();
  return {
    touch(watched) {
      clearTimeout(timer);
      if (!watched) timer = start();
    },
    over,
    stop() {
      clearTimeout(timer);
      end('closed');
    },
  };
}
