/** One entry at a time, without a generator in between: it would cost more than the walk. */
export function flatten<Item>(batches: AsyncGenerator<readonly Item[]>): AsyncIterator<Item> {
  let batch: readonly Item[] = [];
  let index = 0;
  return {
    async next() {
      while (index >= batch.length) {
        const next = await batches.next();
        if (next.done === true) return { done: true, value: undefined };
        batch = next.value;
        index = 0;
      }
      index += 1;
      return { done: false, value: batch[index - 1] as Item };
    },
    async return() {
      await batches.return(undefined);
      return { done: true, value: undefined };
    },
  };
}
