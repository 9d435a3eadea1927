export interface Contestant {
  /** Runs `count` operations. */
  (count: number): void | Promise<void>;
}

export interface PairTimes {
  /** Nanoseconds per operation: of theirs the median, and ours as it compares. */
  readonly ours: number;
  readonly theirs: number;
}

export interface Rounds {
  readonly rounds?: number;
  /** How many milliseconds one contestant runs in one round, about. */
  readonly milliseconds?: number;
}

/**
 * Times two contestants in turns, so that a slow moment of the machine hits both. What counts is how they compare
 * within a round, in the median of all rounds: a machine that is slow for a while is slow for both.
 */
export async function timePair(
  ours: Contestant,
  theirs: Contestant,
  { rounds = 15, milliseconds = 60 }: Rounds = {},
): Promise<PairTimes> {
  const ourCount = await calibrate(ours, milliseconds);
  const theirCount = await calibrate(theirs, milliseconds);
  const ratios: number[] = [];
  const theirTimes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ourTime = await timeOf(ours, ourCount);
    const theirTime = await timeOf(theirs, theirCount);
    ratios.push(ourTime / theirTime);
    theirTimes.push(theirTime);
  }
  const middle = median(theirTimes);
  return { ours: middle * median(ratios), theirs: middle };
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

/**
 * Grows the count until a run is long enough to be timed; warms the contestant up on the way. The very first
 * operation opens what all others use, so that its time says nothing about them.
 */
async function calibrate(contestant: Contestant, milliseconds: number): Promise<number> {
  await contestant(1);
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
