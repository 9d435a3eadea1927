import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { openWorkspace } from '../../workspace/workspace.ts';
import { createClientRoots } from '../connection/client-roots.ts';
import { createMemory } from '../connection/connection-memory.ts';
import { type Connection, createConnection } from '../connection/connection.ts';
import { lowServerOf } from '../sdk/protocol-server.ts';
import type { Composition } from './composition.ts';
import { createCompositionCache, createFactsAtHand, type FactsAtHand, factsOf } from './composition-cache.ts';

interface Made {
  readonly composition: Composition;
  readonly closed: () => boolean;
}

/** An empty composition that knows whether it was released. */
async function make(): Promise<Made> {
  const open = await openWorkspace([]);
  let closed = false;
  // Nothing else of it is used here.
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

/** Creates compositions and counts them. */
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
  test('is created once for the same facts, even concurrently', async () => {
    const compositions = createCompositionCache(60_000);
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

  test('is created again for other facts, and the old one is closed with its last holder', async () => {
    const compositions = createCompositionCache(60_000);
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

  test('is created again when the last look is too old', async () => {
    const compositions = createCompositionCache(0);
    const { made, next } = maker();
    (await compositions.hold('', ['a'], next)).release();
    (await compositions.hold('', ['a'], next)).release();
    expect(made).toHaveLength(2);
    compositions.close();
  });

  test('is closed when it was unused for its lifetime', async () => {
    const compositions = createCompositionCache(5);
    const { made, next } = maker();
    (await compositions.hold('', ['a'], next)).release();
    while (made[0]?.closed() === false) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(compositions.grab('', ['a'])).toBeUndefined();
  });

  test('that fails is tried again', async () => {
    const compositions = createCompositionCache(60_000);
    const { made, next } = maker();
    await expect(compositions.hold('', ['a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    (await compositions.hold('', ['a'], next)).release();
    expect(made).toHaveLength(1);
    compositions.close();
  });

  test('can be held synchronously if it exists', async () => {
    const compositions = createCompositionCache(60_000);
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

test('the last one without a key can be read, however old', async () => {
  const compositions = createCompositionCache(0);
  const { made, next } = maker();
  expect(compositions.peek(['a'])).toBeUndefined();
  (await compositions.hold('', ['a'], next)).release();
  (await compositions.hold('key', ['a'], next)).release();
  expect(compositions.peek(['a'])).toBe(made[0]?.composition);
  expect(compositions.peek(['b'])).toBeUndefined();
  compositions.close();
  expect(compositions.peek(['a'])).toBeUndefined();
});

test('a thousand named directories are not all kept open', async () => {
  const compositions = createCompositionCache(60_000);
  const { made, next } = maker();
  for (let count = 0; count < 1_000; count += 1)
    (await compositions.hold(`key ${count}`, ['a'], next)).release();
  await settled();
  expect(made.filter(({ closed }) => !closed()).length).toBeLessThanOrEqual(16);
  compositions.close();
  await settled();
  expect(made.every(({ closed }) => closed())).toBe(true);
});

test('after closing, one is created for each remaining holder, and closed with it', async () => {
  const compositions = createCompositionCache(60_000);
  const { made, next } = maker();
  compositions.close();
  const held = await compositions.hold('', ['a'], next);
  expect(made[0]?.closed()).toBe(false);
  held.release();
  await settled();
  expect(made[0]?.closed()).toBe(true);
  expect(compositions.peek(['a'])).toBeUndefined();
});

const empty = { state: 'empty', revoked: false } as const;
const initialize = { capabilities: { roots: {} } };

function open(): { readonly connection: Connection; readonly atHand: FactsAtHand } {
  const memory = createMemory({ initialize });
  const server = lowServerOf(new McpServer({ name: 's', version: '1' }));
  const connection = createConnection({ server, transport: {}, memory: () => memory, overHttp: false });
  const roots = createClientRoots(connection, { patience: 5, answered: () => undefined });
  return { connection, atHand: createFactsAtHand(connection, roots) };
}

test('another answer, operator revision, memory or transport are other facts', async () => {
  const { connection } = open();
  const changes: readonly (() => readonly unknown[] | Promise<readonly unknown[]>)[] = [
    () => factsOf(connection, { answer: { state: 'unsupported' }, operatorRevision: 1 }),
    () => factsOf(connection, { answer: empty, operatorRevision: 2 }),
    async () => {
      await connection.memory.keepSwitched({ text: 'app' });
      return factsOf(connection, { answer: empty, operatorRevision: 1 });
    },
    () => {
      connection.sawHttp();
      return factsOf(connection, { answer: empty, operatorRevision: 1 });
    },
  ];
  for (const change of changes) {
    const before = factsOf(connection, { answer: empty, operatorRevision: 1 });
    expect(await change()).not.toEqual(before);
  }
});

test('none is available until the client was asked, nor after a change', async () => {
  const { connection, atHand } = open();
  expect(atHand()).toBeUndefined();
  await connection.memory.keepAnswer(0, empty);
  expect(atHand()).toEqual(factsOf(connection, { answer: empty, operatorRevision: undefined }));
  connection.invalidate();
  expect(atHand()).toBeUndefined();
});

test('the facts at hand are one list, until one of them changes', async () => {
  const { connection, atHand } = open();
  await connection.memory.keepAnswer(0, empty);
  const before = atHand();
  expect(atHand()).toBe(before);
  connection.sawHttp();
  expect(atHand()).not.toEqual(before);
  const overHttp = atHand();
  await connection.memory.keepSwitched({ text: 'app' });
  expect(atHand()).not.toEqual(overHttp);
});
