import { expect, test } from 'vitest';
import { openMemoryStore } from './memory-store.ts';
import type { SessionStore } from './record/session-store.ts';
import { type EndedGrant, watchGrants } from './watch-grants.ts';

const initialize = { clientInfo: { name: 'tester' } };
const grant = { text: '/srv/app', consented: true } as const;

async function watched(store: SessionStore = openMemoryStore()) {
  const ended: EndedGrant[] = [];
  const sessions = watchGrants(store, { ended: (one) => void ended.push(one), every: 5 });
  const begin = (id: string) =>
    sessions.create({ id, principal: 'me', protocolVersion: '2025-11-25', initialize });
  return { sessions, begin, ended };
}

test('a session that its client ends, ends its grant', async () => {
  const { sessions, begin, ended } = await watched();
  await begin('a');
  await sessions.keepSwitched('a', grant);
  expect(await sessions.remove('a')).toBe(true);
  expect(await sessions.remove('a')).toBe(false);
  const reason = 'the client ended its session';
  expect(ended).toEqual([{ session: 'a', initialize, switched: grant, reason }]);
  await sessions.close();
  expect(ended).toHaveLength(1);
});

test('a session that expires ends its grant, once', async () => {
  let now = 0;
  const { sessions, begin, ended } = await watched(openMemoryStore({ idle: 1_000, now: () => now }));
  await begin('a');
  await sessions.keepSwitched('a', grant);
  now = 1_001;
  await expect.poll(() => ended).toMatchObject([{ session: 'a', reason: 'the session expired' }]);
  await sessions.close();
  expect(ended).toHaveLength(1);
});

test('sessions without a grant, and those that switched away, end in silence', async () => {
  const { sessions, begin, ended } = await watched();
  for (const id of ['none', 'name', 'away']) await begin(id);
  await sessions.keepSwitched('name', { text: 'app' });
  await sessions.keepSwitched('away', grant);
  await sessions.keepSwitched('away', { text: 'other' });
  for (const id of ['none', 'name']) await sessions.remove(id);
  await sessions.close();
  expect(ended).toEqual([]);
});

test('a store of this process ends all grants with it; a shared one does not', async () => {
  for (const shared of [false, true]) {
    const store = Object.assign(openMemoryStore(), { shared });
    const { sessions, begin, ended } = await watched(store);
    await begin('a');
    await sessions.keepSwitched('a', grant);
    await sessions.close();
    expect(ended.map(({ reason }) => reason)).toEqual(shared ? [] : ['the server stopped']);
  }
});

test('nodes that share a store report each end once, also that of a grant whose node is gone', async () => {
  let now = 0;
  const shared = Object.assign(openMemoryStore({ idle: 1_000, now: () => now }), {
    shared: true,
    close: async () => undefined,
  });
  const [gone, one, other] = [await watched(shared), await watched(shared), await watched(shared)];
  for (const id of ['expires', 'removed', 'switched']) {
    await gone.begin(id);
    await gone.sessions.keepSwitched(id, grant);
  }
  await gone.sessions.close();
  await one.sessions.keepSwitched('switched', { text: 'other' });
  expect(await other.sessions.remove('removed')).toBe(true);
  now = 1_001;
  const ends = (): readonly string[] =>
    [gone, one, other].flatMap(({ ended }) => ended.map(({ session, reason }) => `${session}: ${reason}`));
  await expect
    .poll(() => ends().toSorted())
    .toEqual(['expires: the session expired', 'removed: the client ended its session']);
  await Promise.all([one.sessions.close(), other.sessions.close()]);
  expect(await shared.grants()).toEqual([]);
  expect(ends()).toHaveLength(2);
});
