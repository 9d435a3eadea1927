import { expect, test } from 'vitest';
import { sampleQuery } from '../../../test/support/trees/sample-query.ts';
import type { FileText } from '../../boundary/read/read-texts.ts';
import type { MatcherOptions, StartMatcher } from './matcher.ts';
import { searchTexts } from './search-texts.ts';

const query = sampleQuery({ pattern: 'x', perFile: 10 });

/** Finds the first x of each given text. */
function matcherFor(runs: number[], isDone = true): StartMatcher {
  return ({ onMatch }: MatcherOptions) => {
    runs.push(0);
    let written = 0;
    return {
      async write(texts) {
        runs[runs.length - 1] = (runs.at(-1) ?? 0) + texts.length;
        for (let at = texts.indexOf('x'); at !== -1; at = texts.indexOf('x', at + 1)) onMatch(written + at);
        written += texts.length;
      },
      end: () => Promise.resolve(isDone),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  };
}

interface Outcome {
  readonly paths: readonly string[];
  readonly complete: boolean;
  /** Bytes given to each run of a matcher. */
  readonly runs: readonly number[];
}

async function search(
  sizes: readonly number[],
  { isAll = true, isDone = true, milliseconds = 15_000 } = {},
): Promise<Outcome> {
  async function* texts(): AsyncGenerator<readonly FileText[], boolean> {
    for (const [index, size] of sizes.entries())
      yield [{ path: `f${index}`, bytes: Buffer.from(`${'x'.padEnd(size - 1, ' ')}\n`) }];
    return isAll;
  }
  const runs: number[] = [];
  const signal = new AbortController().signal;
  const hits = searchTexts(texts(), query, { start: matcherFor(runs, isDone), milliseconds, signal });
  const paths: string[] = [];
  for (;;) {
    const next = await hits.next();
    if (next.done === true) return { paths, complete: next.value.complete, runs };
    paths.push(next.value.path);
  }
}

test('splits large input into several runs, and searches each text once', async () => {
  expect(await search([10, 20])).toEqual({ paths: ['f0', 'f1'], complete: true, runs: [30] });
  const large = Array.from({ length: 20 }, () => 200_000);
  const { paths, complete, runs } = await search(large);
  expect(paths).toHaveLength(20);
  expect(complete).toBe(true);
  expect(runs.length).toBeGreaterThan(2);
  expect(runs.reduce((sum, size) => sum + size, 0)).toBe(4_000_000);
});

test('is complete if both texts and matcher are', async () => {
  expect(await search([10], { isAll: false })).toMatchObject({ paths: ['f0'], complete: false });
  expect(await search([10], { isDone: false })).toMatchObject({ paths: ['f0'], complete: false });
  expect(await search([])).toEqual({ paths: [], complete: true, runs: [0] });
});

test('ends at its deadline, with partial results', async () => {
  const outcome = await search([10, 10, 10], { milliseconds: -1 });
  expect(outcome).toMatchObject({ paths: ['f0'], complete: false });
});
