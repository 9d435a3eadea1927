import { randomInt } from 'node:crypto';

/**
 * The seed of the random attacks in this run. `npm run attack` chooses one per round and prints it when a round fails;
 * set `ATTACK_SEED` to repeat that round. Put the seed into the message of every assertion that depends on it.
 */
export const attackSeed: number = Number(process.env['ATTACK_SEED'] ?? randomInt(2 ** 31));

/** How much longer than in CI an attack runs: `npm run attack` sets `ATTACK_SCALE`, CI leaves it at 1. */
export const attackScale: number = Number(process.env['ATTACK_SCALE'] ?? 1);

/** A repeatable source of numbers from 0 up to, and not including, 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = Math.trunc(seed);
  return () => {
    state = Math.trunc(state + 0x6d_2b_79_f5);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
