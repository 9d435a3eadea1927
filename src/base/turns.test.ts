import { describe, expect, test } from 'vitest';
import { sortInTurns, Turns } from './turns.ts';

function work(turns: Turns): void {
  while (!turns.isOver);
}

test('a turn ends, and after it another begins', async () => {
  const turns = new Turns();
  expect(turns.isOver).toBe(false);
  work(turns);
  let others = 0;
  setImmediate(() => (others += 1));
  await turns.next();
  expect(others).toBe(1);
  expect(turns.isOver).toBe(false);
});

test('work that was cancelled ends with its turn', async () => {
  const cancel = new AbortController();
  const turns = new Turns(cancel.signal);
  work(turns);
  cancel.abort(new Error('enough'));
  await expect(turns.next()).rejects.toThrow('enough');
});

interface Item {
  readonly key: number;
  readonly index: number;
}

describe('sorting in turns', () => {
  const numbers = Array.from({ length: 30_000 }, (_, index) => ({ key: (index * 7919) % 1_009, index }));
  const byKey = (one: Item, other: Item): number => one.key - other.key;
  /** The first comparison takes a whole turn. */
  const slowly = (one: Item, other: Item): number => {
    if (one.index + other.index === 1) work(new Turns());
    return byKey(one, other);
  };

  test.each([0, 1, 4_096, 4_097, 30_000])(
    'gives the same as sorting at once, with %d items',
    async (size) => {
      const items = numbers.slice(0, size);
      expect(await sortInTurns(items, byKey)).toEqual(items.toSorted(byKey));
    },
  );

  test('lets others run meanwhile', async () => {
    let others = 0;
    setImmediate(() => (others += 1));
    await sortInTurns(numbers, slowly);
    expect(others).toBe(1);
  });

  test('ends when it is cancelled', async () => {
    await expect(sortInTurns(numbers, slowly, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    );
  });
});
