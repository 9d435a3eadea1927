import { describe, expect, test, vi } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import type { Grant, StoredRoot, StoreSnapshot } from '../store/stored-root.ts';
import type { ClientPeer } from './client-peer.ts';
import type { ExposedStore } from './expose-options.ts';
import { RootsExposer } from './exposer.ts';
import type { ExposureAnswer } from './roots-consent.ts';

const server = { name: 'search', tier: 'remote', fingerprint: 'aa' } as const;

/** An in-memory store, so that only the clock matters. */
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

function createPeer(): ClientPeer & { readonly told: () => number; connect(): void } {
  let count = 0;
  let connection: unknown;
  return {
    connection: () => connection,
    connect() {
      connection = {};
    },
    answer() {},
    async notify() {
      count += 1;
      return true;
    },
    told: () => count,
  };
}

const always: Grant = { server: 'search', answer: 'always', date: '2026-01-01' };

describe('the list a server sees', () => {
  test('shrinks when a grant expires, and that is announced', async () => {
    vi.useFakeTimers({ now: new Date('2026-06-01T00:00:00Z') });
    try {
      const root = sampleRoot({ grants: [{ ...always, until: '2026-06-01T00:01:00Z' }] });
      const peer = createPeer();
      const exposer = new RootsExposer(peer, createStore([root]), { server });
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

  test('shrinks when a lasting grant is revoked, in the same connection', async () => {
    const store = createStore([sampleRoot()]);
    const exposer = new RootsExposer(createPeer(), store, { server, ask: () => 'always' });
    expect((await exposer.answer(undefined)).roots).toHaveLength(1);
    store.set([sampleRoot({ grants: [{ ...always, answer: 'never' }] })]);
    expect((await exposer.answer(undefined)).roots).toHaveLength(0);
    exposer.close();
  });

  test('needs a new answer after a grant for one time', async () => {
    let count = 0;
    const ask = (): ExposureAnswer | Promise<ExposureAnswer> => {
      count += 1;
      return count === 2 ? 'never' : 'once';
    };
    const exposer = new RootsExposer(createPeer(), createStore([sampleRoot()]), { server, ask });
    expect((await exposer.answer(undefined)).roots).toHaveLength(1);
    expect((await exposer.answer(undefined)).roots).toHaveLength(0);
    expect((await exposer.answer(undefined)).roots).toHaveLength(0);
    expect(count).toBe(2);
    exposer.close();
  });

  test('causes no question before the first request, and then without a second one', async () => {
    const asked: (readonly string[])[] = [];
    const ask = ({
      roots,
    }: {
      readonly roots: readonly StoredRoot[];
    }): ExposureAnswer | Promise<ExposureAnswer> => {
      asked.push(roots.map(({ name }) => name));
      return 'session';
    };
    const store = createStore([sampleRoot()]);
    const peer = createPeer();
    vi.useFakeTimers();
    const exposer = new RootsExposer(peer, store, { server, ask, debounce: 1 });
    exposer.look();
    await vi.advanceTimersByTimeAsync(1_000).finally(() => vi.useRealTimers());
    expect(asked).toEqual([]);
    await exposer.answer(undefined);
    store.set([sampleRoot(), sampleRoot({ name: 'docs' })]);
    exposer.look();
    await vi.waitFor(() => expect(peer.told()).toBe(1));
    expect(asked).toEqual([['app'], ['docs']]);
    expect((await exposer.answer(undefined)).roots).toHaveLength(2);
    exposer.close();
  });

  test('omits undecided roots when the server stops waiting', async () => {
    const stop = new AbortController();
    const exposer = new RootsExposer(createPeer(), createStore([sampleRoot()]), {
      server,
      ask: () => new Promise(() => {}),
      timeout: 60_000,
    });
    const answer = exposer.answer(stop.signal);
    stop.abort();
    expect(await answer).toEqual({ roots: [] });
    exposer.close();
  });

  test('a grant that cannot be stored is reported, and holds for the session', async () => {
    const failures: unknown[] = [];
    const store = { ...createStore([sampleRoot()]), remember: () => Promise.reject(new Error('read-only')) };
    const options = {
      server,
      ask: () => 'always' as const,
      onError: (error: unknown) => void failures.push(error),
    };
    const exposer = new RootsExposer(createPeer(), store, options);
    expect((await exposer.answer(undefined)).roots).toHaveLength(1);
    expect(failures).toMatchObject([{ message: 'read-only' }]);
    exposer.close();
  });

  test('is not announced after closing', async () => {
    const store = createStore([]);
    const peer = createPeer();
    vi.useFakeTimers();
    const exposer = new RootsExposer(peer, store, { server: { ...server, tier: 'stdio' }, debounce: 1 });
    exposer.look();
    exposer.close();
    store.set([sampleRoot()]);
    exposer.look();
    await vi.advanceTimersByTimeAsync(1_000).finally(() => vi.useRealTimers());
    expect(peer.told()).toBe(0);
  });

  test('a notification that fails is reported', async () => {
    const store = createStore([]);
    const reported = new Promise((resolve) => {
      const peer = { ...createPeer(), notify: () => Promise.reject(new Error('pipe is broken')) };
      const exposer = new RootsExposer(peer, store, {
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

/** A person who answers only when the test says so. */
function createPerson(): {
  ask: () => Promise<ExposureAnswer>;
  answer(said: ExposureAnswer): void;
  readonly asked: () => number;
} {
  const open: ((said: ExposureAnswer) => void)[] = [];
  let count = 0;
  return {
    ask: () => {
      count += 1;
      return new Promise((resolve) => open.push(resolve));
    },
    answer: (said) => {
      for (const resolve of open.splice(0)) resolve(said);
    },
    asked: () => count,
  };
}

/** With a clock that the test controls. */
async function withFakeTimers(run: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ now: new Date('2026-06-01T00:00:00Z') });
  try {
    await run();
  } finally {
    vi.useRealTimers();
  }
}

const namesIn = async (exposer: RootsExposer): Promise<readonly string[]> =>
  (await exposer.answer(undefined)).roots.map(({ name }) => name);

describe('a grant for one time', () => {
  test('that comes late is kept for the next request and announced, without a second question', async () => {
    await withFakeTimers(async () => {
      const [peer, person] = [createPeer(), createPerson()];
      const exposer = new RootsExposer(peer, createStore([sampleRoot()]), {
        server,
        ask: person.ask,
        timeout: 300,
      });
      const first = exposer.answer(undefined);
      await vi.advanceTimersByTimeAsync(300);
      expect(await first).toEqual({ roots: [] });
      person.answer('once');
      await vi.advanceTimersByTimeAsync(60_000);
      expect([person.asked(), peer.told()]).toEqual([1, 1]);
      expect(await namesIn(exposer)).toEqual(['app']);
      await vi.advanceTimersByTimeAsync(60_000);
      expect([person.asked(), peer.told()]).toEqual([1, 1]);
      // It was for one time: the next request asks again.
      const third = exposer.answer(undefined);
      await vi.advanceTimersByTimeAsync(300);
      expect([await third, person.asked()]).toEqual([{ roots: [] }, 2]);
      exposer.close();
    });
  });

  test('that was used up is not asked for again by changes in the store', async () => {
    await withFakeTimers(async () => {
      let asked = 0;
      const ask = (): ExposureAnswer | Promise<ExposureAnswer> => {
        asked += 1;
        return 'once';
      };
      const store = createStore([sampleRoot()]);
      const exposer = new RootsExposer(createPeer(), store, { server, ask });
      expect(await namesIn(exposer)).toEqual(['app']);
      for (let change = 0; change < 20; change += 1) {
        store.set([sampleRoot({ permissions: { allow: change % 2 === 0 ? [] : ['read'] } })]);
        exposer.look();
        await vi.advanceTimersByTimeAsync(1_000);
      }
      expect(asked).toBe(1);
      exposer.close();
    });
  });

  test('serves all requests that wait for it', async () => {
    const person = createPerson();
    const exposer = new RootsExposer(createPeer(), createStore([sampleRoot()]), { server, ask: person.ask });
    const both = [namesIn(exposer), namesIn(exposer)];
    await vi.waitFor(() => expect(person.asked()).toBe(1));
    person.answer('once');
    expect(await Promise.all(both)).toEqual([['app'], ['app']]);
    exposer.close();
  });
});

describe('the limits of a grant', () => {
  const readOnly = {
    answer: 'always',
    operations: ['read'],
    until: new Date('2026-06-01T00:00:01Z'),
  } as const;

  test.each(['always', 'session', 'once'] as const)(
    'hold even if it cannot be stored: %s',
    async (answer) => {
      await withFakeTimers(async () => {
        const root = sampleRoot({ permissions: { preset: 'write-in-project' } });
        const store = { ...createStore([root]), remember: () => Promise.reject(new Error('damaged')) };
        const peer = createPeer();
        const exposer = new RootsExposer(peer, store, { server, ask: () => ({ ...readOnly, answer }) });
        const { roots } = await exposer.answer(undefined);
        expect(roots).toMatchObject([{ _meta: { 'rootward/permissions': { allow: ['read'], ask: [] } } }]);
        exposer.close();
      });
    },
  );

  test('end it in time, and that is announced', async () => {
    await withFakeTimers(async () => {
      let asked = 0;
      const ask = (): ExposureAnswer | Promise<ExposureAnswer> => {
        asked += 1;
        return asked === 1 ? { ...readOnly, answer: 'session' } : 'never';
      };
      const peer = createPeer();
      const exposer = new RootsExposer(peer, createStore([sampleRoot()]), { server, ask });
      expect(await namesIn(exposer)).toEqual(['app']);
      await vi.advanceTimersByTimeAsync(5_000);
      expect([peer.told(), asked]).toEqual([1, 1]);
      expect([await namesIn(exposer), asked]).toEqual([[], 2]);
      exposer.close();
    });
  });
});

describe('a session', () => {
  test('ends with the connection', async () => {
    let asked = 0;
    const ask = (): ExposureAnswer | Promise<ExposureAnswer> => {
      asked += 1;
      return 'session';
    };
    const peer = createPeer();
    const exposer = new RootsExposer(peer, createStore([sampleRoot()]), { server, ask });
    for (const times of [1, 2, 3]) {
      peer.connect();
      expect([await namesIn(exposer), await namesIn(exposer), asked]).toEqual([['app'], ['app'], times]);
    }
    exposer.close();
  });

  test('that is over drops its open question, and a late answer changes nothing', async () => {
    await withFakeTimers(async () => {
      const signals: AbortSignal[] = [];
      const person = createPerson();
      const ask = ({
        signal,
      }: {
        readonly signal: AbortSignal;
      }): ExposureAnswer | Promise<ExposureAnswer> => {
        signals.push(signal);
        return person.ask();
      };
      const peer = createPeer();
      peer.connect();
      const exposer = new RootsExposer(peer, createStore([sampleRoot()]), { server, ask });
      const gone = new AbortController();
      const first = exposer.answer(gone.signal);
      await vi.advanceTimersByTimeAsync(1);
      gone.abort();
      peer.connect();
      await vi.advanceTimersByTimeAsync(1_000);
      expect([await first, signals.map(({ aborted }) => aborted)]).toEqual([{ roots: [] }, [true]]);
      person.answer('session');
      const second = exposer.answer(undefined);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(signals).toHaveLength(2);
      person.answer('session');
      expect((await second).roots).toHaveLength(1);
      exposer.close();
    });
  });

  test('does not apply to a root that was removed and added again', async () => {
    let asked = 0;
    const ask = (): ExposureAnswer | Promise<ExposureAnswer> => {
      asked += 1;
      return asked === 1 ? 'session' : 'never';
    };
    const store = createStore([sampleRoot()]);
    const exposer = new RootsExposer(createPeer(), store, { server, ask });
    expect(await namesIn(exposer)).toEqual(['app']);
    store.set([]);
    exposer.look();
    store.set([sampleRoot()]);
    expect([await namesIn(exposer), asked]).toEqual([[], 2]);
    exposer.close();
  });

  test('does not apply to a root that another process removed and added again', async () => {
    const store = createStore([sampleRoot({ added: '2026-01-01T00:00:00.000Z' })]);
    let asked = 0;
    const ask = (): ExposureAnswer | Promise<ExposureAnswer> => {
      asked += 1;
      return asked === 1 ? 'session' : 'never';
    };
    const exposer = new RootsExposer(createPeer(), store, { server, ask });
    expect(await namesIn(exposer)).toEqual(['app']);
    store.set([sampleRoot({ added: '2026-02-01T00:00:00.000Z' })]);
    expect([await namesIn(exposer), asked]).toEqual([[], 2]);
    exposer.close();
  });

  test('stores no grant for a root that was added again while the person was deciding', async () => {
    const kept: unknown[] = [];
    const person = createPerson();
    const store = createStore([sampleRoot({ added: '2026-01-01T00:00:00.000Z' })]);
    const remember = async (_path: string, grant: Grant): Promise<StoredRoot> => {
      kept.push(grant);
      return sampleRoot();
    };
    const exposer = new RootsExposer(createPeer(), { ...store, remember }, { server, ask: person.ask });
    const answer = namesIn(exposer);
    await vi.waitFor(() => expect(person.asked()).toBe(1));
    store.set([sampleRoot({ added: '2026-02-01T00:00:00.000Z' })]);
    person.answer('always');
    expect([await answer, kept]).toEqual([[], []]);
    exposer.close();
  });
});

test('a remote server gets the denied globs only if it is a Rootward server', async () => {
  const root = sampleRoot({ permissions: { deny: ['clients/acme-merger/**'] }, grants: [always] });
  const told = async (options: Partial<ConstructorParameters<typeof RootsExposer>[2]>): Promise<string> => {
    const exposer = new RootsExposer(createPeer(), createStore([root]), { server, ...options });
    const text = JSON.stringify(await exposer.answer(undefined));
    exposer.close();
    return text;
  };
  expect(await told({})).not.toContain('acme-merger');
  expect(await told({ rootward: true })).toContain('acme-merger');
  expect(await told({ server: { ...server, tier: 'stdio' } })).toContain('acme-merger');
});
