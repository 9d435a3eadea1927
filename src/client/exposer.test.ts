import { describe, expect, test, vi } from 'vitest';
import { sampleRoot } from '../../test/client/sample-root.ts';
import type { Peer } from './client-peer.ts';
import type { ExposedStore } from './expose-options.ts';
import { Exposer } from './exposer.ts';
import type { Grant, StoredRoot, StoreSnapshot } from './stored-root.ts';

const server = { name: 'search', tier: 'remote', fingerprint: 'aa' } as const;

/** A store in memory, so that nothing but the clock is waited for. */
function createStore(
  roots: readonly StoredRoot[],
): ExposedStore & { set(roots: readonly StoredRoot[]): void } {
  let snapshot: StoreSnapshot = { revision: 1, roots, servers: {} };
  const set = (next: readonly StoredRoot[]): void => {
    snapshot = { ...snapshot, revision: snapshot.revision + 1, roots: next };
  };
  return {
    set,
    snapshot: () => snapshot,
    subscribe: () => () => {},
    async remember(_path, grant) {
      set([sampleRoot({ grants: [grant] })]);
      return sampleRoot();
    },
  };
}

function createPeer(): Peer & { readonly told: () => number } {
  let count = 0;
  return {
    answer() {},
    async notify() {
      count += 1;
      return true;
    },
    told: () => count,
  };
}

const always: Grant = { server: 'search', answer: 'always', date: '2026-01-01' };

describe('what a server sees', () => {
  test('ends with the grant, and that is announced', async () => {
    vi.useFakeTimers({ now: new Date('2026-06-01T00:00:00Z') });
    try {
      const root = sampleRoot({ grants: [{ ...always, until: '2026-06-01T00:01:00Z' }] });
      const peer = createPeer();
      const exposer = new Exposer(peer, createStore([root]), { server });
      expect((await exposer.answer(undefined)).roots).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(peer.told()).toBe(0);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(peer.told()).toBe(1);
      expect((await exposer.answer(undefined)).roots).toHaveLength(0);
      exposer.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test('ends when a lasting yes is taken back, in the same connection', async () => {
    const store = createStore([sampleRoot()]);
    const exposer = new Exposer(createPeer(), store, { server, ask: () => 'always' });
    expect((await exposer.answer(undefined)).roots).toHaveLength(1);
    store.set([sampleRoot({ grants: [{ ...always, answer: 'never' }] })]);
    expect((await exposer.answer(undefined)).roots).toHaveLength(0);
    exposer.close();
  });

  test('is asked about again where a yes was for once only', async () => {
    let count = 0;
    const ask = (): string => {
      count += 1;
      return count === 2 ? 'never' : 'once';
    };
    const exposer = new Exposer(createPeer(), createStore([sampleRoot()]), { server, ask });
    expect((await exposer.answer(undefined)).roots).toHaveLength(1);
    expect((await exposer.answer(undefined)).roots).toHaveLength(0);
    expect((await exposer.answer(undefined)).roots).toHaveLength(0);
    expect(count).toBe(2);
    exposer.close();
  });

  test('is not asked about before the server wants to know, and then without its asking again', async () => {
    const asked: (readonly string[])[] = [];
    const ask = ({ roots }: { readonly roots: readonly StoredRoot[] }): string => {
      asked.push(roots.map(({ name }) => name));
      return 'session';
    };
    const store = createStore([sampleRoot()]);
    const peer = createPeer();
    vi.useFakeTimers();
    const exposer = new Exposer(peer, store, { server, ask, debounce: 1 });
    exposer.look();
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(asked).toEqual([]);
    await exposer.answer(undefined);
    store.set([sampleRoot(), sampleRoot({ name: 'docs' })]);
    exposer.look();
    await vi.waitFor(() => expect(peer.told()).toBe(1));
    expect(asked).toEqual([['app'], ['docs']]);
    expect((await exposer.answer(undefined)).roots).toHaveLength(2);
    exposer.close();
  });

  test('comes without what was not answered when the server gives up', async () => {
    const stop = new AbortController();
    const exposer = new Exposer(createPeer(), createStore([sampleRoot()]), {
      server,
      ask: () => new Promise(() => {}),
      timeout: 60_000,
    });
    const answer = exposer.answer(stop.signal);
    stop.abort();
    expect(await answer).toEqual({ roots: [] });
    exposer.close();
  });

  test('a grant that cannot be kept is reported, and holds for the session', async () => {
    const failures: unknown[] = [];
    const store = { ...createStore([sampleRoot()]), remember: () => Promise.reject(new Error('read-only')) };
    const options = { server, ask: () => 'always', onError: (error: unknown) => void failures.push(error) };
    const exposer = new Exposer(createPeer(), store, options);
    expect((await exposer.answer(undefined)).roots).toHaveLength(1);
    expect(failures).toMatchObject([{ message: 'read-only' }]);
    exposer.close();
  });

  test('is announced no more once it is closed', async () => {
    const store = createStore([]);
    const peer = createPeer();
    vi.useFakeTimers();
    const exposer = new Exposer(peer, store, { server: { ...server, tier: 'stdio' }, debounce: 1 });
    exposer.look();
    exposer.close();
    store.set([sampleRoot()]);
    exposer.look();
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(peer.told()).toBe(0);
  });

  test('a notification that fails is reported', async () => {
    const store = createStore([]);
    const reported = new Promise((resolve) => {
      const peer = { ...createPeer(), notify: () => Promise.reject(new Error('pipe is broken')) };
      const exposer = new Exposer(peer, store, {
        server: { ...server, tier: 'stdio' },
        debounce: 1,
        onError: resolve,
      });
      store.set([sampleRoot()]);
      exposer.look();
    });
    expect(await reported).toMatchObject({ message: 'pipe is broken' });
  });
});
