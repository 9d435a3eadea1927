import { expect, test } from 'vitest';
import { flatten } from './flatten.ts';

async function* inBatches(ended: () => void): AsyncGenerator<readonly number[]> {
  try {
    yield [1, 2];
    yield [];
    yield [3];
  } finally {
    ended();
  }
}

function numbers(ended: () => void = () => {}): AsyncIterable<number> {
  return { [Symbol.asyncIterator]: () => flatten(inBatches(ended)) };
}

test('gives one after the other, whatever came together', async () => {
  const seen = [];
  for await (const number of numbers()) seen.push(number);
  expect(seen).toEqual([1, 2, 3]);
});

test('who leaves early ends what the batches came from', async () => {
  let ended = 0;
  for await (const number of numbers(() => (ended += 1))) if (number === 1) break;
  expect(ended).toBe(1);
});
