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
import { createConnectionStore } from '../connection/connection-memory.ts';
import type { Composition } from './composition.ts';
import { createWorkspaceKeeper } from './workspace-keeper.ts';

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

describe('connections of a keeper', () => {
  /** A composition without roots; nothing else of it is used here. */
  const make = async (): Promise<Composition> =>
    ({ open: await openWorkspace([]) }) as unknown as Composition;

  test.each([
    ['two sessions', 'one', 'two'],
    ['two requests without a session', undefined, undefined],
  ])('share a composition if their facts are equal: %s', async (_title, one, other) => {
    const keeper = createWorkspaceKeeper();
    const facts = (): readonly unknown[] => [
      { state: 'listed', roots: [{ uri: 'file:///a' }] },
      undefined,
      1,
    ];
    const first = await keeper.of(one).hold('', facts(), make);
    const second = await keeper.of(other).hold('', facts(), make);
    expect(second.composition).toBe(first.composition);
    keeper.close();
  });

  test.each([
    ['the key', 'app', [{ state: 'empty' }, 1]],
    ['the answer', '', [{ state: 'empty', revoked: true }, 1]],
    ['the revision of the operator', '', [{ state: 'empty' }, 2]],
    ['one fact more', '', [{ state: 'empty' }, 1, undefined]],
  ])('share none if they differ in %s', async (_title, key, facts) => {
    const keeper = createWorkspaceKeeper();
    const first = await keeper.of('one').hold('', [{ state: 'empty' }, 1], make);
    const second = await keeper.of('two').hold(key, facts, make);
    expect(second.composition).not.toBe(first.composition);
    keeper.close();
  });

  test('are each told once that a composition is new to them', async () => {
    const keeper = createWorkspaceKeeper();
    const isNew = async (session: string): Promise<boolean> =>
      (await keeper.of(session).hold('', [1], make)).isNew;
    expect([await isNew('one'), await isNew('one'), await isNew('two'), await isNew('two')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    keeper.close();
  });

  test('see their own last composition, and not that of others', async () => {
    const keeper = createWorkspaceKeeper();
    const held = await keeper.of('one').hold('', [1], make);
    expect(keeper.of('one').peek([1])).toBe(held.composition);
    expect(keeper.of('one').peek([2])).toBeUndefined();
    expect(keeper.of('two').peek([1])).toBeUndefined();
    keeper.close();
  });
});
