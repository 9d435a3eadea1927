import { openPair, type Pair } from './server-pair.ts';
import { type Contestant, timePair } from './time-pair.ts';

/** Runs in a process of its own, and tells its parent. */
export async function tellOverhead(root: string): Promise<void> {
  await using ours = await openPair(root, true);
  await using theirs = await openPair(root, false);
  const [callOurs, callTheirs] = [repeat(ours), repeat(theirs)];
  // Both are compiled while they run, which takes some thousand calls.
  await callOurs(5_000);
  await callTheirs(5_000);
  // Turns are so short that whatever else the machine does hits both.
  process.send?.(await timePair(callOurs, callTheirs, { rounds: 1_001, milliseconds: 2 }));
}

function repeat({ call }: Pair): Contestant {
  return async (count) => {
    for (let index = 0; index < count; index += 1) await call();
  };
}
