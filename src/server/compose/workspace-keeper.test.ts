import { describe, expect, test } from 'vitest';
import {
  connectServer,
  introduce,
  callTool,
  nowhere,
  usualTools,
} from '../../../test/attached/connect-legacy.ts';
import { openRawPeer } from '../../../test/attached/raw-peer.ts';
import { createServer } from '../../../test/attached/sdks.ts';
import { openHandles } from '../../../test/open-handles.ts';
import { linkWires } from '../../testing/linked-wires.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { attach } from '../attach.ts';
import { createConnectionStore } from '../connection/connection-store.ts';
import { createWorkspaceKeeper } from './workspace-keeper.ts';

describe('a keeper', () => {
  test('has one for each session', () => {
    const keeper = createWorkspaceKeeper();
    expect(keeper.of('a')).toBe(keeper.of('a'));
    expect(keeper.of('a')).not.toBe(keeper.of('b'));
    keeper.close();
  });

  test('lets go of the session that was silent for longest, when there are too many', () => {
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

  test('keeps the workspace open between servers that are built per request, until it is closed', async () => {
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
      const client = await openRawPeer(wires.client);
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
