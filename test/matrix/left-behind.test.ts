import { createHook } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as WireV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer as ServerV2, InMemoryTransport as WireV2 } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { toFileUri } from '../../src/path/file-uri.ts';
import { attach } from '../../src/server/attach.ts';
import type { Rootward } from '../../src/server/settings/rootward.ts';
import { tempTree } from '../../src/testing/temp-tree.ts';

const identity = { name: 'left-behind', version: '1' };
const declares = { capabilities: { roots: { listChanged: true } } };

/** A server that stays, and clients that come and go. */
interface Stage {
  readonly rootward: Rootward;
  /** Signals of the calls that ran. With SDK v1 each of them holds on to its connection. */
  readonly signals: AbortSignal[];
  /** One client connects, calls, and goes; what it was connected by is all that it leaves. */
  readonly visit: (behaviour: Behaviour) => Promise<WeakRef<object>>;
}

/** How a client answers the question for its roots. */
type Behaviour = 'answers' | 'silent';

const stages = {
  'SDK v1': (root: string): Stage => {
    const server = new ServerV1(identity);
    const rootward = attach(server, { ceiling: [root], timeout: 50 });
    const signals: AbortSignal[] = [];
    server.registerTool('where', {}, async (extra) => {
      signals.push(extra.signal);
      return { content: [{ type: 'text', text: (await rootward.workspace(extra)).project.name }] };
    });
    return {
      rootward,
      signals,
      async visit(behaviour) {
        const client = new ClientV1(identity, declares);
        client.setRequestHandler(ListRootsRequestSchema, () => answer(root, behaviour));
        const [clientEnd, serverEnd] = WireV1.createLinkedPair();
        await server.connect(serverEnd);
        await client.connect(clientEnd);
        await callTwice(client);
        return new WeakRef(serverEnd);
      },
    };
  },
  'SDK v2': (root: string): Stage => {
    const server = new ServerV2(identity);
    const rootward = attach(server, { ceiling: [root], timeout: 50 });
    const signals: AbortSignal[] = [];
    server.registerTool('where', {}, async (ctx) => {
      signals.push(ctx.mcpReq.signal);
      return { content: [{ type: 'text', text: (await rootward.workspace(ctx)).project.name }] };
    });
    return {
      rootward,
      signals,
      async visit(behaviour) {
        const client = new ClientV2(identity, declares);
        client.setRequestHandler('roots/list', () => answer(root, behaviour));
        const [clientEnd, serverEnd] = WireV2.createLinkedPair();
        await server.connect(serverEnd);
        await client.connect(clientEnd);
        await callTwice(client);
        return new WeakRef(serverEnd);
      },
    };
  },
} as const;

/** What both SDKs have in common here. */
interface Caller {
  callTool(call: { name: string; arguments: Record<string, never> }): Promise<unknown>;
  sendRootsListChanged(): Promise<void>;
  close(): Promise<void>;
}

/** Its roots change in between, and then it goes. */
async function callTwice(client: Caller): Promise<void> {
  await client.callTool({ name: 'where', arguments: {} });
  await client.sendRootsListChanged();
  await client.callTool({ name: 'where', arguments: {} });
  await client.close();
}

function answer(root: string, behaviour: Behaviour): Promise<{ roots: { uri: string }[] }> {
  const roots = [{ uri: toFileUri(root) }];
  return behaviour === 'silent' ? new Promise(() => undefined) : Promise.resolve({ roots });
}

describe.each(Object.entries(stages))('%s, a client that has gone leaves', (_sdk, createStage) => {
  test.each(['answers', 'silent'] as const)('no timer (%s)', async (behaviour) => {
    using tree = tempTree(['app/a.txt']);
    const { rootward, visit } = createStage(tree.at('app'));
    using timers = watchTimers();
    await visit(behaviour);
    expect(timers.started()).toBeGreaterThan(0);
    await rootward.close();
    // A late answer would still be taken for a moment; when that is over, so is everything.
    await expect.poll(timers.running, { timeout: 20_000 }).toEqual([]);
  });

  test.each(['answers', 'silent'] as const)('no listener (%s)', async (behaviour) => {
    using tree = tempTree(['app/a.txt']);
    const before = countListeners();
    const { rootward, signals, visit } = createStage(tree.at('app'));
    await visit(behaviour);
    expect(signals).toHaveLength(2);
    await expect.poll(() => signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
    expect(countListeners()).toEqual(before);
    await rootward.close();
  });

  test('no entry in what its server keeps: its connection can be collected while the server lives', async () => {
    using tree = tempTree(['app/a.txt']);
    const { rootward, signals, visit } = createStage(tree.at('app'));
    const gone: WeakRef<object>[] = [];
    for (let index = 0; index < 20; index += 1) gone.push(await visit('answers'));
    signals.length = 0;
    // The SDK may keep its last one.
    await expect.poll(() => collected(gone), { timeout: 20_000 }).toBeGreaterThanOrEqual(19);
    expect(rootward).toBeDefined();
    await rootward.close();
  });
});

interface Timers extends Disposable {
  readonly started: () => number;
  /** Where those that still run were started by the source, and not by an SDK or the test. */
  readonly running: () => readonly string[];
}

function watchTimers(): Timers {
  const alive = new Map<number, string>();
  let started = 0;
  const hook = createHook({
    init(id, type) {
      if (type !== 'Timeout') return;
      const origin = new Error('started').stack?.split('\n').find((line) => /\/src\/(?!testing)/.test(line));
      if (origin === undefined) return;
      started += 1;
      alive.set(id, origin.trim());
    },
    destroy: (id) => void alive.delete(id),
  }).enable();
  return {
    started: () => started,
    running: () => [...alive.values()],
    [Symbol.dispose]: () => void hook.disable(),
  };
}

function countListeners(): Readonly<Record<string, number>> {
  return Object.fromEntries(
    process.eventNames().map((name) => [String(name), process.listenerCount(String(name))]),
  );
}

async function collected(refs: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return refs.filter((ref) => ref.deref() === undefined).length;
}
