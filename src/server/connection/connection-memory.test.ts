import { describe, expect, test } from 'vitest';
import {
  type CallResult,
  callTool,
  connectServer,
  introduce,
  nowhere,
  usualTools,
} from '../../../test/support/peers/connect-legacy.ts';
import { openRawClient, type RawClient } from '../../../test/support/peers/raw-client.ts';
import { createServer, type SdkName, sdkNames } from '../../../test/support/peers/sdks.ts';
import { parseRoots } from '../../path/root.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { linkWires } from '../../testing/wires.ts';
import { attach } from '../attach.ts';
import { type ConnectionStore, createConnectionStore, createMemory } from './connection-memory.ts';

const { roots } = parseRoots([{ uri: 'file:///app' }]);
const listed = { state: 'listed', roots } as const;

test('is empty in the beginning', () => {
  expect(createMemory().current()).toEqual({ generation: 0, answer: { state: 'unasked' }, answered: -1 });
});

test('an answer counts for the generation it was requested in', async () => {
  const memory = createMemory();
  const { generation } = memory.current();
  await memory.invalidate();
  expect(await memory.keepAnswer(generation, listed)).toBe(false);
  expect(memory.current()).toMatchObject({ generation: 1, answered: -1, answer: { state: 'unasked' } });
  expect(await memory.keepAnswer(1, listed)).toBe(true);
  expect(memory.current()).toMatchObject({ generation: 1, answered: 1, answer: listed, listed: roots });
});

test('a change keeps the answer, but marks it as stale', async () => {
  const memory = createMemory();
  await memory.keepAnswer(0, listed);
  await memory.invalidate();
  const { generation, answered, answer } = memory.current();
  expect(answered).toBeLessThan(generation);
  expect(answer).toBe(listed);
});

test('keeps the last readable list', async () => {
  const memory = createMemory();
  await memory.keepAnswer(0, listed);
  await memory.keepAnswer(0, { state: 'failed', afterChange: true, reason: 'no answer' });
  expect(memory.current()).toMatchObject({ answer: { state: 'failed' }, listed: roots });
});

test('a switch can be set and removed, and initialize stays', async () => {
  const memory = createMemory({ generation: 7 });
  await memory.keepInitialize({ rootUri: 'file:///app' });
  await memory.keepSwitched({ text: 'app' });
  expect(memory.current()).toMatchObject({ generation: 7, switched: { text: 'app' } });
  await memory.keepSwitched(undefined);
  expect(memory.current()).not.toHaveProperty('switched');
  expect(memory.current().initialize).toEqual({ rootUri: 'file:///app' });
});

test('returned values do not change', async () => {
  const memory = createMemory();
  const before = memory.current();
  await memory.keepAnswer(0, listed);
  expect(before.answer).toEqual({ state: 'unasked' });
});

/** One request, answered by a server that is built for it and closed afterwards. */
async function request(
  {
    sdk,
    store,
    sessionId,
  }: { readonly sdk: SdkName; readonly store: ConnectionStore; readonly sessionId: string },
  act: (client: RawClient) => Promise<CallResult | void>,
  roots: readonly string[] = [],
): Promise<{ readonly result: CallResult | void; readonly asked: number }> {
  const server = createServer[sdk]();
  const rootward = attach(server.server, { ...nowhere, merge: 'client', tools: true, memory: store.memory });
  for (const [name, tool] of Object.entries(usualTools)) server.tool(name, tool(rootward));
  const wires = linkWires();
  wires.server.sessionId = sessionId;
  await connectServer(server, wires.server);
  const client = await openRawClient(wires.client);
  client.answers.set('roots/list', () => ({ roots: roots.map((path) => ({ uri: `file://${path}` })) }));
  const result = await act(client);
  await client.close();
  await rootward.close();
  return { result, asked: client.asked() };
}

describe.each(sdkNames)('servers of SDK %s that are built per request', (sdk) => {
  test('reuse the roots of their session', async () => {
    using tree = tempTree(['one/', 'two/', 'three/']);
    const store = createConnectionStore();
    const one = { sdk, store, sessionId: 'one' };
    const two = { sdk, store, sessionId: 'two' };
    const where = (client: RawClient): Promise<CallResult> => callTool(client, { name: 'where' });
    const changed = async (client: RawClient): Promise<void> => {
      await client.notify('notifications/roots/list_changed');
      await client.request('ping');
    };
    const textOf = (result: CallResult | void): string => result?.text ?? '';
    await request(one, (client) => introduce(client));
    await request(two, (client) => introduce(client));
    const first = await request(one, where, [tree.at('one'), tree.at('three')]);
    expect([textOf(first.result), first.asked]).toEqual(['one', 1]);
    const second = await request(one, where);
    expect([textOf(second.result), second.asked]).toEqual(['one', 0]);
    const other = await request(two, where, [tree.at('two')]);
    expect([textOf(other.result), other.asked]).toEqual(['two', 1]);
    await request(one, (client) => callTool(client, { name: 'switch_project', input: { project: 'three' } }));
    expect(textOf((await request(one, where)).result)).toBe('three');
    await request(one, changed);
    const after = await request(one, where, [tree.at('two')]);
    expect([textOf(after.result), after.asked]).toEqual(['two', 1]);
    expect(store.size).toBe(2);
  });

  test('do not know a dropped session, and never ask it', async () => {
    using tree = tempTree(['one/']);
    const store = createConnectionStore();
    const one = { sdk, store, sessionId: 'one' };
    await request(one, (client) => introduce(client));
    store.forget('one');
    const { result, asked } = await request(one, (client) => callTool(client, { name: 'where' }), [
      tree.at('one'),
    ]);
    expect(asked).toBe(0);
    expect(result).toMatchObject({ isError: true });
  });
});

describe('a store', () => {
  test('drops the least recently used session when there are too many', () => {
    const store = createConnectionStore({ most: 2 });
    for (const id of ['a', 'b', 'a', 'c']) store.memory(id);
    expect(store.size).toBe(2);
    void store.memory('a')?.keepSwitched({ text: 'still' });
    expect(store.memory('a')?.current().switched).toEqual({ text: 'still' });
    expect(store.memory('b')?.current().switched).toBeUndefined();
  });

  test('drops idle sessions without a timer', () => {
    let now = 0;
    const store = createConnectionStore({ idle: 1_000, now: () => now });
    for (let count = 0; count < 100; count += 1) store.memory(`gone ${count}`);
    void store.memory('here')?.keepSwitched({ text: 'kept' });
    now = 999;
    store.memory('here');
    expect(store.size).toBe(101);
    now = 1_500;
    expect(store.memory('here')?.current().switched).toEqual({ text: 'kept' });
    expect(store.size).toBe(1);
  });

  test('has nothing for a connection without a session', () => {
    const store = createConnectionStore();
    expect(store.memory(undefined)).toBeUndefined();
    expect(store.size).toBe(0);
  });
});
