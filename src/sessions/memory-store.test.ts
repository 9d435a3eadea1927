import { describe, expect, test } from 'vitest';
import { describeSessionStore } from '../../test/support/redis/describe-session-store.ts';
import { type MemoryStoreOptions, openMemoryStore } from './memory-store.ts';
import type { SessionStore } from './record/session-store.ts';

describeSessionStore('in memory', openMemoryStore);

describe('the clock of a store in memory', () => {
  test('ends a session at its idle time, not before', async () => {
    const { store, clock } = openWithClock({ idle: 1_000 });
    await begin(store, 'a');
    clock.now = 999;
    expect(await store.keepSwitched('a', undefined)).toBe(true);
    clock.now = 1_000;
    expect(await store.touch('a')).toBeUndefined();
    expect(await store.remove('a')).toBe(false);
    await store.close();
  });

  test('extends a life only in its second half', async () => {
    const { store, clock } = openWithClock({ idle: 1_000 });
    await begin(store, 'early');
    await begin(store, 'late');
    clock.now = 400;
    await store.touch('early');
    clock.now = 600;
    await store.touch('late');
    clock.now = 1_100;
    expect(await store.keepSwitched('early', undefined)).toBe(false);
    expect(await store.keepSwitched('late', undefined)).toBe(true);
    await store.close();
  });

  test('makes room in a full store by removing expired sessions', async () => {
    const { store, clock } = openWithClock({ idle: 1_000, most: 1 });
    await begin(store, 'a');
    clock.now = 2_000;
    expect(await begin(store, 'b')).toBeDefined();
    expect(await store.count()).toBe(1);
    await store.close();
  });

  test('forgets a request after a minute', async () => {
    const { store, clock } = openWithClock({});
    await begin(store, 'a');
    await store.touch('a', ['1']);
    clock.now = 59_999;
    expect(await store.touch('a', ['1'])).toMatchObject({ repeated: true });
    clock.now = 60_000;
    expect(await store.touch('a', ['1'])).not.toHaveProperty('repeated');
    await store.close();
  });
});

describe('a closed store in memory', () => {
  test('knows no sessions', async () => {
    const store = openMemoryStore();
    await begin(store, 'a');
    await store.close();
    expect(await store.touch('a')).toBeUndefined();
    expect(await store.count()).toBe(0);
  });
});

function openWithClock(options: MemoryStoreOptions): { store: SessionStore; clock: { now: number } } {
  const clock = { now: 0 };
  return { store: openMemoryStore({ ...options, now: () => clock.now }), clock };
}

function begin(store: SessionStore, id: string): ReturnType<SessionStore['create']> {
  return store.create({ id, principal: 'me', protocolVersion: '2025-11-25', initialize: {} });
}
