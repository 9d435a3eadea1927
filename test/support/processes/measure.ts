/** How an operation treated the process that ran it. */
export interface Measured<Result> {
  readonly result: Result;
  readonly milliseconds: number;
  /**
   * Longest stretch during which nothing else could run. Of processor time, not of the clock: a machine that
   * is busy with something else makes every stretch longer, and says nothing about the operation.
   */
  readonly longestStretch: number;
  /** By how many bytes the process grew, at its largest moment. */
  readonly growth: number;
}

/** Runs something while looking at the process in every turn of its event loop. */
export async function measure<Result>(run: () => Promise<Result>): Promise<Measured<Result>> {
  const start = performance.now();
  const memory = process.memoryUsage.rss();
  let [longestStretch, largest, running] = [0, memory, true];
  let last = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(last);
    longestStretch = Math.max(longestStretch, (user + system) / 1_000);
    largest = Math.max(largest, process.memoryUsage.rss());
    last = process.cpuUsage();
  };
  const turn = (): void => {
    look();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await run();
    look();
    return { result, milliseconds: performance.now() - start, longestStretch, growth: largest - memory };
  } finally {
    running = false;
  }
}
