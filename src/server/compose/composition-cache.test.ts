import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import {
  callTool,
  connectServer,
  introduce,
  nowhere,
  usualTools,
} from '../../../test/support/peers/connect-legacy.ts';
import { openRawClient } from '../../../test/support/peers/raw-client.ts';
import { createServer } from '../../../test/support/peers/sdks.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { linkWires } from '../../testing/wires.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { attach } from '../attach.ts';
import { createClientRoots } from '../connection/client-roots.ts';
import { createConnectionStore, createMemory } from '../connection/connection-memory.ts';
import { type Connection, createConnection } from '../connection/connection.ts';
import { lowServerOf } from '../sdk/protocol-server.ts';
import type { Composition } from './composition.ts';
import {
  createCompositionCache,
  createFactsAtHand,
  createWorkspaceKeeper,
  type FactsAtHand,
  factsOf,
} from './composition-cache.ts';

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
    () => factsOf(connection, { state: 'unsupported' }, 1),
    () => factsOf(connection, empty, 2),
    async () => {
      await connection.memory.keepSwitched({ text: 'app' });
      return factsOf(connection, empty, 1);
    },
    () => {
      connection.sawHttp();
      return factsOf(connection, empty, 1);
    },
  ];
  for (const change of changes) {
    const before = factsOf(connection, empty, 1);
    expect(await change()).not.toEqual(before);
  }
});

test('none is at hand until the client was asked, nor after a change', async () => {
  const { connection, atHand } = open();
  expect(atHand()).toBeUndefined();
  await connection.memory.keepAnswer(0, empty);
  expect(atHand()).toEqual(factsOf(connection, empty, undefined));
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

describe('a keeper', () => {
  test('has one for each session', () => {
    const keeper = createWorkspaceKeeper();
    expect(keeper.of('a')).toBe(keeper.of('a'));
    expect(keeper.of('a')).not.toBe(keeper.of('b'));
    keeper.close();
  });

  test('drops the least recently used session when there are too many', () => {
    const keeper = createWorkspaceKeeper();
    const first = keeper.of('first');
    const second = keeper.of('second');
    for (let count = 0; count < 999; count += 1) {
      keeper.of(`session ${count}`);
      keeper.of('second');
    }
    expect(keeper.of('second')).toBe(second);
    expect(keeper.of('first')).not.toBe(first);
    keeper.close();
  });

  test('keeps the workspace open between per-request servers, until it is closed', async () => {
    using tree = tempTree(['app/a.txt = text']);
    const store = createConnectionStore();
    const keeper = createWorkspaceKeeper();
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    for (let count = 0; count < 3; count += 1) {
      const server = createServer.v2();
      const rootward = attach(server.server, { ...nowhere, merge: 'client', memory: store.memory, keeper });
      server.tool('read', usualTools['read']?.(rootward) ?? (() => ''));
      const wires = linkWires();
      wires.server.sessionId = 'one';
      await connectServer(server, wires.server);
      const client = await openRawClient(wires.client);
      client.answers.set('roots/list', () => ({ roots: [{ uri: `file://${tree.at('app')}` }] }));
      if (count === 0) await introduce(client);
      expect((await callTool(client, { name: 'read', input: { path: 'a.txt' } })).text).toBe('text');
      expect(client.asked()).toBe(count === 0 ? 1 : 0);
      await client.close();
      await rootward.close();
      await settled();
      expect(openHandles(tree.path)).toEqual([tree.at('app')]);
    }
    keeper.close();
    await settled();
    expect(openHandles(tree.path)).toEqual([]);
  });
});
