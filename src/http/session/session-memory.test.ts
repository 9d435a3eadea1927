import { expect, test } from 'vitest';
import { openMemoryStore } from '../../sessions/memory-store.ts';
import type { SessionRecord, SessionStore } from '../../sessions/record/session-store.ts';
import { createSessionMemory } from './session-memory.ts';

const empty = { state: 'empty', revoked: false } as const;

async function begin(): Promise<{ store: SessionStore; record: SessionRecord }> {
  const store = openMemoryStore();
  const start = { id: 's', principal: 'me', protocolVersion: '2025-11-25', initialize: { a: 1 } };
  const record = await store.create(start);
  if (record === undefined) throw new Error('there is no room');
  return { store, record };
}

test('a server sees what the session remembers, but not its owner', async () => {
  const { store, record } = await begin();
  const memory = createSessionMemory(store, record);
  expect(memory.current()).toEqual({
    generation: 0,
    answer: { state: 'unasked' },
    answered: -1,
    initialize: { a: 1 },
  });
});

test('the next server sees what the previous one kept', async () => {
  const { store, record } = await begin();
  const memory = createSessionMemory(store, record);
  expect(await memory.keepAnswer(0, empty)).toBe(true);
  await memory.keepSwitched({ text: 'app' });
  expect(memory.current()).toMatchObject({ answer: empty, answered: 0, switched: { text: 'app' } });
  expect(await store.touch('s')).toMatchObject({ answer: empty, answered: 0, switched: { text: 'app' } });
  await memory.keepSwitched(undefined);
  expect(memory.current().switched).toBeUndefined();
});

test('does not keep an answer that another request made stale', async () => {
  const { store, record } = await begin();
  const memory = createSessionMemory(store, record);
  await store.invalidate('s');
  expect(await memory.keepAnswer(0, empty)).toBe(false);
  expect(memory.current().answer).toEqual({ state: 'unasked' });
  // A caller that asks again because of that is not refused again.
  const { generation } = memory.current();
  expect(await memory.keepAnswer(generation, empty)).toBe(true);
});

test('counts a change once, whether the endpoint or the server sees it first', async () => {
  const { store, record } = await begin();
  await createSessionMemory(store, record, { announced: true }).invalidate();
  expect(await store.touch('s')).toMatchObject({ generation: 0 });
  const memory = createSessionMemory(store, record);
  await memory.invalidate();
  expect(memory.current().generation).toBe(1);
  expect(await store.touch('s')).toMatchObject({ generation: 1 });
});

test('the parameters of initialize never change', async () => {
  const { store, record } = await begin();
  const memory = createSessionMemory(store, record);
  await memory.keepInitialize({ a: 2 });
  expect(memory.current().initialize).toEqual({ a: 1 });
});
