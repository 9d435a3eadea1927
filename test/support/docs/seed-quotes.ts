import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The documents that this project began with, by number. Their texts are not part of it. */
export type SeedNumber = '000' | '001' | '002' | '003' | '004';

/** Words in a row that are compared at a time. */
const row = 3;
/** Characters of a digest: enough for a few thousand rows. */
const size = 6;

const known = JSON.parse(
  readFileSync(new URL('../../data/seed-quotes.json', import.meta.url), 'utf8'),
) as Readonly<Record<SeedNumber, string>>;

/**
 * Returns a function that takes words of a seed and returns them as the title of a test.
 *
 * The function throws if the words do not stand in the seed: `test/data/seed-quotes.json` has a digest of every three
 * words in a row of each line, as `digestsOf` makes them.
 */
export function quotesFrom(seed: SeedNumber): (words: string) => string {
  const digests = new Set(known[seed].match(/.{6}/g));
  return (words) => {
    const asked = digestsOf(words);
    if (asked.length === 0) throw new Error(`${row} words are needed to look for "${words}"`);
    if (asked.every((digest) => digests.has(digest))) return `"${words}"`;
    throw new Error(`Seed ${seed} does not say "${words}"`);
  };
}

/** The digest of every few words in a row of each line, once; letters and digits count, in lower case. */
export function digestsOf(text: string): readonly string[] {
  const digests = text.split('\n').flatMap((line) => {
    const words = line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return words.slice(row - 1).map((_, index) => digest(words.slice(index, index + row).join(' ')));
  });
  return [...new Set(digests)];
}

function digest(words: string): string {
  return createHash('sha256').update(words).digest('hex').slice(0, size);
}
