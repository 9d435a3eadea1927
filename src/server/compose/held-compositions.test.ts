import { describe, expect, test } from 'vitest';
import { openWorkspace } from '../../workspace/workspace.ts';
import type { Composition } from './composition.ts';
import { createCompositions } from './held-compositions.ts';

interface Made {
  readonly composition: Composition;
  readonly closed: () => boolean;
}

/** A composition of nothing that knows whether it was let go. */
async function make(): Promise<Made> {
  const open = await openWorkspace([]);
  let closed = false;
  // Nothing else of it is looked at here.
  const composition = {
    open: {
      ...open,
      close: async () => {
        closed = true;
      },
    },
  } as unknown as Composition;
  return { composition, closed: () => closed };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Makes compositions and counts them. */
function maker(): { readonly made: Made[]; readonly next: () => Promise<Composition> } {
  const made: Made[] = [];
  return {
    made,
    next: async () => {
      const one = await make();
      made.push(one);
      return one.composition;
    },
  };
}

describe('a composition', () => {
  test('is made once for the same facts, also by two at once', async () => {
    const compositions = createCompositions(60_000);
    const { made, next } = maker();
    const [one, two] = await Promise.all([
      compositions.hold('', ['a'], next),
      compositions.hold('', ['a'], next),
    ]);
    expect(one?.composition).toBe(two?.composition);
    one?.release();
    two?.release();
    const third = await compositions.hold('', ['a'], next);
    expect(made).toHaveLength(1);
    third.release();
    compositions.close();
  });

  test('is made anew for other facts, and the old one goes when its last holder lets it', async () => {
    const compositions = createCompositions(60_000);
    const { made, next } = maker();
    const old = await compositions.hold('', ['a'], next);
    const other = await compositions.hold('', ['b'], next);
    await settled();
    expect(made.map(({ closed }) => closed())).toEqual([false, false]);
    old.release();
    old.release();
    await settled();
    expect(made.map(({ closed }) => closed())).toEqual([true, false]);
    other.release();
    compositions.close();
    await settled();
    expect(made.map(({ closed }) => closed())).toEqual([true, true]);
  });

  test('is made anew when the last look is too old', async () => {
    const compositions = createCompositions(0);
    const { made, next } = maker();
    (await compositions.hold('', ['a'], next)).release();
    (await compositions.hold('', ['a'], next)).release();
    expect(made).toHaveLength(2);
    compositions.close();
  });

  test('goes by itself when nobody needed it for as long as it is fresh', async () => {
    const compositions = createCompositions(5);
    const { made, next } = maker();
    (await compositions.hold('', ['a'], next)).release();
    while (made[0]?.closed() === false) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(compositions.grab('', ['a'])).toBeUndefined();
  });

  test('that cannot be made is tried again', async () => {
    const compositions = createCompositions(60_000);
    const { made, next } = maker();
    await expect(compositions.hold('', ['a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    (await compositions.hold('', ['a'], next)).release();
    expect(made).toHaveLength(1);
    compositions.close();
  });

  test('is grabbed at once where it is there, and held by that', async () => {
    const compositions = createCompositions(60_000);
    const { made, next } = maker();
    expect(compositions.grab('', ['a'])).toBeUndefined();
    (await compositions.hold('', ['a'], next)).release();
    const held = compositions.grab('', ['a']);
    expect(held?.composition).toBe(made[0]?.composition);
    expect(compositions.grab('', ['b'])).toBeUndefined();
    compositions.close();
    await settled();
    expect(made[0]?.closed()).toBe(false);
    held?.release();
    await settled();
    expect(made[0]?.closed()).toBe(true);
  });
});

test('the last one without a key can be peeked at, however old it is', async () => {
  const compositions = createCompositions(0);
  const { made, next } = maker();
  expect(compositions.peek(['a'])).toBeUndefined();
  (await compositions.hold('', ['a'], next)).release();
  (await compositions.hold('key', ['a'], next)).release();
  expect(compositions.peek(['a'])).toBe(made[0]?.composition);
  expect(compositions.peek(['b'])).toBeUndefined();
  compositions.close();
  expect(compositions.peek(['a'])).toBeUndefined();
});

test('a caller who names a thousand directories does not keep a thousand open', async () => {
  const compositions = createCompositions(60_000);
  const { made, next } = maker();
  for (let count = 0; count < 1_000; count += 1)
    (await compositions.hold(`key ${count}`, ['a'], next)).release();
  await settled();
  expect(made.filter(({ closed }) => !closed()).length).toBeLessThanOrEqual(16);
  compositions.close();
  await settled();
  expect(made.every(({ closed }) => closed())).toBe(true);
});

test('after the end one is made for whoever still needs it, and goes with them', async () => {
  const compositions = createCompositions(60_000);
  const { made, next } = maker();
  compositions.close();
  const held = await compositions.hold('', ['a'], next);
  expect(made[0]?.closed()).toBe(false);
  held.release();
  await settled();
  expect(made[0]?.closed()).toBe(true);
  expect(compositions.peek(['a'])).toBeUndefined();
});
