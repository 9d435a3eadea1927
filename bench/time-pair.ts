export interface Contestant {
  /** Runs `count` operations. */
  (count: number): void | Promise<void>;
}

export interface PairTimes {
  /** Nanoseconds per operation, the median of all rounds. */
  readonly ours: number;
  readonly theirs: number;
}

export interface Rounds {
  readonly rounds?: number;
  /** How many milliseconds one contestant runs in one round, about. */
  readonly milliseconds?: number;
}

/**
 * Times two contestants in turns, so that a slow moment of the machine hits both, and takes each one's
 * median round.
 */
export async function timePair(
  ours: Contestant,
  theirs: Contestant,
  { rounds = 15, milliseconds = 60 }: Rounds = {},
): Promise<PairTimes> {
  const ourCount = await calibrate(ours, milliseconds);
  const theirCount = await calibrate(theirs, milliseconds);
  const ourTimes: number[] = [];
  const theirTimes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ourTimes.push(await timeOf(ours, ourCount));
    theirTimes.push(await timeOf(theirs, theirCount));
  }
  return { ours: median(ourTimes), theirs: median(theirTimes) };
}

/** Times one contestant against nothing but a budget: nanoseconds per operation, the median of all rounds. */
export async function timeOne(
  ours: Contestant,
  { rounds = 15, milliseconds = 60 }: Rounds = {},
): Promise<number> {
  const count = await calibrate(ours, milliseconds);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timeOf(ours, count));
  return median(times);
}

/** Grows the count until a run is long enough to be timed; warms the contestant up on the way. */
async function calibrate(contestant: Contestant, milliseconds: number): Promise<number> {
  let count = 1;
  for (;;) {
    const took = (await timeOf(contestant, count)) * count;
    if (took >= milliseconds * 1e6) return count;
    count = Math.ceil(count * Math.min(10, Math.max(1.5, (milliseconds * 1e6) / Math.max(took, 1))));
  }
}

async function timeOf(contestant: Contestant, count: number): Promise<number> {
  const start = process.hrtime.bigint();
  await contestant(count);
  return Number(process.hrtime.bigint() - start) / count;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
