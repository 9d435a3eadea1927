import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a loop may occupy the process before it yields. */
const turn = 8;

/**
 * Splits long work into short turns. Check `isOver` in every round of a loop and await `next` when it is
 * true: other calls run in between, and cancelled work stops there.
 */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #end = performance.now() + turn;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /**
   * @throws the abort reason of the signal
   */
  async next(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + turn;
  }
}

/** Items that are sorted in one go, which takes a few milliseconds. */
const sortedAtOnce = 4_096;

/**
 * Sorts like `toSorted`, in turns: a list of a million items does not keep others waiting.
 *
 * @throws the abort reason of the signal
 */
export async function sortInTurns<Item>(
  items: readonly Item[],
  order: (one: Item, other: Item) => number,
  signal?: AbortSignal,
): Promise<readonly Item[]> {
  const turns = new Turns(signal);
  let runs: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += sortedAtOnce) {
    runs.push(items.slice(start, start + sortedAtOnce).toSorted(order));
    if (turns.isOver) await turns.next();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await mergeInTurns([runs[index] ?? [], runs[index + 1] ?? []], order, turns));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists. Of equal items those of the first list come first. */
async function mergeInTurns<Item>(
  [one, other]: readonly [readonly Item[], readonly Item[]],
  order: (one: Item, other: Item) => number,
  turns: Turns,
): Promise<readonly Item[]> {
  const merged: Item[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    const isLeft = order(one[left] as Item, other[right] as Item) <= 0;
    merged.push((isLeft ? one[left++] : other[right++]) as Item);
    if (merged.length % 256 === 0 && turns.isOver) await turns.next();
  }
  return merged.concat(left < one.length ? one.slice(left) : other.slice(right));
}
