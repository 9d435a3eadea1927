import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseRoots } from '../../../src/path/root.ts';
import type { SessionStart, SessionStore } from '../../../src/sessions/record/session-store.ts';
import type { RootsAnswer } from '../../../src/workspace/sources/roots-answer.ts';

export interface StoreLimits {
  /** Milliseconds. */
  readonly idle: number;
  readonly most: number;
}

/**
 * What every store of sessions promises, wherever it keeps them. `open` gives an empty store; the suite closes
 * it. Time is real here, because another process keeps its own.
 */
export function describeSessionStore(
  name: string,
  open: (limits: StoreLimits) => SessionStore | Promise<SessionStore>,
): void {
  const opened: SessionStore[] = [];
  const openStore = async (limits: Partial<StoreLimits> = {}): Promise<SessionStore> => {
    const store = await open({ idle: 60_000, most: 1_000, ...limits });
    opened.push(store);
    return store;
  };
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  describe(`${name}: a grant`, () => {
    test('outlives its session, and is taken once', async () => {
      const store = await openStore();
      const record = await store.create(newStart());
      if (record === undefined) throw new Error('the store is full');
      const granted = { ...record, switched: { text: '/srv/app', consented: true } };
      await store.keepGrant(granted);
      await store.remove(record.id);
      expect(await store.grants()).toEqual([record.id]);
      const taken = await Promise.all([1, 2, 3].map(() => store.takeGrant(record.id)));
      expect(taken.filter((one) => one !== undefined)).toEqual([granted]);
      expect(await store.grants()).toEqual([]);
    });
  });

  describe(`${name}: the record`, () => {
    test('begins unasked, with what initialize said', async () => {
      const store = await openStore();
      const start = newStart();
      const record = await store.create(start);
      expect(record).toEqual({ ...start, generation: 0, answer: { state: 'unasked' }, answered: -1 });
      expect(await store.touch(start.id)).toEqual(record);
    });

    test('is found by nothing but its id', async () => {
      const store = await openStore();
      await store.create(newStart());
      for (const id of ['', 'a', '__proto__', '*', randomUUID()]) {
        expect(await store.touch(id)).toBeUndefined();
      }
    });

    test('is not that of another session', async () => {
      const store = await openStore();
      const [one, other] = [newStart(), newStart({ principal: 'other' })];
      await store.create(one);
      await store.create(other);
      await store.invalidate(one.id);
      expect(await store.touch(other.id)).toMatchObject({ principal: 'other', generation: 0 });
    });

    test('is gone once it is removed, for every method', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      expect(await store.has(id)).toBe(true);
      expect(await store.remove(id)).toBe(true);
      expect(await store.has(id)).toBe(false);
      expect(await store.remove(id)).toBe(false);
      expect(await store.touch(id)).toBeUndefined();
      expect(await store.invalidate(id)).toBeUndefined();
      expect(await store.keepAnswer(id, 0, empty)).toBe(false);
      expect(await store.keepSwitched(id, { text: 'app' })).toBe(false);
    });

    test('remembers what was switched to, until it is forgotten', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      expect(await store.keepSwitched(id, { text: '/srv/app', consented: true })).toBe(true);
      expect(await store.touch(id)).toMatchObject({ switched: { text: '/srv/app', consented: true } });
      await store.keepSwitched(id, undefined);
      expect(await store.touch(id)).not.toHaveProperty('switched');
    });

    test('keeps texts as they are', async () => {
      const store = await openStore();
      const initialize = {
        clientInfo: { name: 'a\u0000b\n"😀', version: '' },
        nested: [null, { deep: [1.5] }],
      };
      const { id } = await begin(store, { initialize });
      expect((await store.touch(id))?.initialize).toEqual(initialize);
    });
  });

  describe(`${name}: the roots`, () => {
    test('are kept with the generation that was asked about', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      expect(await store.keepAnswer(id, 0, listed)).toBe(true);
      expect(await store.touch(id)).toMatchObject({ answer: listed, answered: 0, generation: 0 });
    });

    test('that were asked for before a change are never kept after it', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      expect(await store.invalidate(id)).toBe(1);
      expect(await store.keepAnswer(id, 0, listed)).toBe(false);
      expect(await store.touch(id)).toMatchObject({
        generation: 1,
        answered: -1,
        answer: { state: 'unasked' },
      });
      expect(await store.keepAnswer(id, 1, listed)).toBe(true);
    });

    test('that were kept are out of date after a change, and say so', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      await store.keepAnswer(id, 0, listed);
      await store.invalidate(id);
      const record = await store.touch(id);
      expect(record?.answered).toBeLessThan(record?.generation ?? 0);
    });

    test('that could be read last stay known when the next answer has none', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      await store.keepAnswer(id, 0, listed);
      await store.keepAnswer(id, 0, empty);
      expect(await store.touch(id)).toMatchObject({ answer: empty, listed: listed.roots });
    });

    test('of a hundred changes at once each count', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      const seen = await Promise.all(Array.from({ length: 100 }, () => store.invalidate(id)));
      expect(new Set(seen).size).toBe(100);
      expect(await store.touch(id)).toMatchObject({ generation: 100 });
    });
  });

  describe(`${name}: the end of a session`, () => {
    test('comes when it is silent for its idle time', async () => {
      const store = await openStore({ idle: 100 });
      const { id } = await begin(store);
      await vi.waitFor(async () => expect(await store.keepSwitched(id, undefined)).toBe(false), 20_000);
      expect(await store.touch(id)).toBeUndefined();
      expect(await store.count()).toBe(0);
    });

    test('does not come while it is used', async () => {
      const store = await openStore({ idle: 1_000 });
      const { id: used } = await begin(store);
      const { id: silent } = await begin(store);
      await vi.waitFor(
        async () => {
          expect(await store.touch(used)).toBeDefined();
          expect(await store.keepSwitched(silent, undefined)).toBe(false);
        },
        { timeout: 10_000, interval: 20 },
      );
      expect(await store.touch(used)).toBeDefined();
    });

    test('makes room: a full store takes no other until one is gone', async () => {
      const store = await openStore({ most: 2 });
      const { id } = await begin(store);
      await begin(store);
      expect(await store.create(newStart())).toBeUndefined();
      await store.remove(id);
      expect(await store.create(newStart())).toBeDefined();
    });
  });

  describe(`${name}: delivery`, () => {
    test('reaches the node that waits, with who sent it', async () => {
      const store = await openStore();
      const arrived = vi.fn<(envelope: unknown) => boolean>(() => true);
      store.onDeliver(arrived);
      const envelope = { session: 's', principal: 'p', message: { jsonrpc: '2.0', id: 'x', result: {} } };
      expect(await store.deliver(store.nodeId, envelope)).toBe('accepted');
      await vi.waitFor(() => expect(arrived).toHaveBeenCalledExactlyOnceWith(envelope), 20_000);
    });

    test('says when there is no such node, or it no longer listens', async () => {
      const store = await openStore();
      const stop = store.onDeliver(() => true);
      const envelope = { session: 's', principal: 'p', message: {} };
      expect(await store.deliver('nobody', envelope)).toBe('no-node');
      stop();
      expect(await store.deliver(store.nodeId, envelope)).toBe('no-node');
    });

    test('has an address that no other start shares', async () => {
      const [one, other] = [await openStore(), await openStore()];
      expect(one.nodeId).not.toBe(other.nodeId);
      expect(one.nodeId).toMatch(/^[\w-]{16,}$/);
    });
  });

  describe(`${name}: requests`, () => {
    test('that came before are known again, and others are not', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      expect(await store.touch(id, ['1:a', '2:b'])).not.toHaveProperty('repeated');
      expect(await store.touch(id, ['3:c', '2:b'])).toMatchObject({ repeated: true });
      expect(await store.touch(id, ['2:a'])).not.toHaveProperty('repeated');
      expect(await store.touch(id)).not.toHaveProperty('repeated');
    });

    test('that were not served after all may come again, but not those of another arrival', async () => {
      const store = await openStore();
      const { id } = await begin(store);
      await store.touch(id, ['1'], 7);
      expect(await store.touch(id, ['1'], 8)).toMatchObject({ repeated: true });
      await store.forget(id, ['1'], 8);
      expect(await store.touch(id, ['1'], 9)).toMatchObject({ repeated: true });
      await store.forget(id, ['1', 'unknown'], 7);
      expect(await store.touch(id, ['1'], 4_095)).not.toHaveProperty('repeated');
      await store.forget(id, ['1'], 4_095);
      expect(await store.touch(id, ['1'], 0)).not.toHaveProperty('repeated');
    });

    test('of another session are others', async () => {
      const store = await openStore();
      const [one, other] = [await begin(store), await begin(store)];
      await store.touch(one.id, ['1']);
      expect(await store.touch(other.id, ['1'])).not.toHaveProperty('repeated');
    });
  });

  describe(`${name}: streams`, () => {
    test('say by their name who answers what', async () => {
      const store = await openStore();
      const stream = store.openStream({ session: 's', request: 'é' });
      expect(stream).toMatch(/^[\w-]+$/);
      expect(store.openStream({ session: 's', request: 'é' })).not.toBe(stream);
      expect(await store.lookup(stream)).toEqual({
        session: 's',
        request: 'é',
        node: store.nodeId,
        open: true,
        closed: false,
      });
    });

    test('are closed by exactly one', async () => {
      const store = await openStore();
      const stream = store.openStream({ session: 's', request: 1 });
      const closed = await Promise.all(Array.from({ length: 5 }, () => store.closeStream(stream)));
      expect(closed.filter(Boolean)).toHaveLength(1);
      expect(await store.lookup(stream)).toMatchObject({ open: false, closed: true });
    });

    test('that no node opened are unknown', async () => {
      const store = await openStore();
      const stream = store.openStream({ session: 's', request: 1 });
      const changed = `${stream.startsWith('W') ? 'X' : 'W'}${stream.slice(1)}`;
      for (const id of ['', '.', 'nobody', changed, `${stream}A`, stream.slice(1), stream.repeat(50)]) {
        expect(await store.lookup(id)).toBeUndefined();
        expect(await store.closeStream(id)).toBe(false);
      }
    });
  });
}

const empty: RootsAnswer = { state: 'empty', revoked: false };
const listed = {
  state: 'listed',
  roots: parseRoots([{ uri: 'file:///srv/app', name: 'app' }], { platform: 'posix' }).roots,
} as const satisfies RootsAnswer;

function newStart(differently: Partial<SessionStart> = {}): SessionStart {
  return {
    id: randomUUID(),
    principal: 'me',
    protocolVersion: '2025-11-25',
    initialize: {
      protocolVersion: '2025-11-25',
      clientInfo: { name: 'test', version: '1' },
      capabilities: {},
    },
    ...differently,
  };
}

async function begin(store: SessionStore, differently: Partial<SessionStart> = {}): Promise<SessionStart> {
  const start = newStart(differently);
  await store.create(start);
  return start;
}
