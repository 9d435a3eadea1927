import { describe, expect, test } from 'vitest';
import {
  callTool,
  type CallResult,
  connectServer,
  introduce,
  nowhere,
  usualTools,
} from '../../../test/attached/connect-legacy.ts';
import { openRawPeer, type RawPeer } from '../../../test/attached/raw-peer.ts';
import { createServer, type SdkName, sdkNames } from '../../../test/attached/sdks.ts';
import { linkWires } from '../../testing/linked-wires.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { attach } from '../attach.ts';
import { type ConnectionStore, createConnectionStore } from './connection-store.ts';

/** One request, answered by a server that is built for it and gone afterwards. */
async function request(
  {
    sdk,
    store,
    sessionId,
  }: { readonly sdk: SdkName; readonly store: ConnectionStore; readonly sessionId: string },
  act: (client: RawPeer) => Promise<CallResult | void>,
  roots: readonly string[] = [],
): Promise<{ readonly result: CallResult | void; readonly asked: number }> {
  const server = createServer[sdk]();
  const rootward = attach(server.server, { ...nowhere, merge: 'client', tools: true, memory: store.memory });
  for (const [name, tool] of Object.entries(usualTools)) server.tool(name, tool(rootward));
  const wires = linkWires();
  wires.server.sessionId = sessionId;
  await connectServer(server, wires.server);
  const client = await openRawPeer(wires.client);
  client.answers.set('roots/list', () => ({ roots: roots.map((path) => ({ uri: `file://${path}` })) }));
  const result = await act(client);
  await client.close();
  await rootward.close();
  return { result, asked: client.asked() };
}

describe.each(sdkNames)('servers of SDK %s that are built per request', (sdk) => {
  test('find the roots of their session again', async () => {
    using tree = tempTree(['one/', 'two/', 'three/']);
    const store = createConnectionStore();
    const one = { sdk, store, sessionId: 'one' };
    const two = { sdk, store, sessionId: 'two' };
    const where = (client: RawPeer): Promise<CallResult> => callTool(client, { name: 'where' });
    const changed = async (client: RawPeer): Promise<void> => {
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

  test('know nothing of a session that was forgotten, and never ask it', async () => {
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
  test('forgets the session that was silent for longest, when there are too many', () => {
    const store = createConnectionStore({ most: 2 });
    for (const id of ['a', 'b', 'a', 'c']) store.memory(id);
    expect(store.size).toBe(2);
    void store.memory('a')?.keepSwitched({ text: 'still' });
    expect(store.memory('a')?.current().switched).toEqual({ text: 'still' });
    expect(store.memory('b')?.current().switched).toBeUndefined();
  });

  test('forgets sessions that vanish without a word, without any timer', () => {
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
