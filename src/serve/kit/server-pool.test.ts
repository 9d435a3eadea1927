import { describe, expect, test } from 'vitest';
import type { HttpConnection } from '../../http/exchange/server-like.ts';
import { createMemory } from '../../server/connection/connection-memory.ts';
import { linkWires } from '../../testing/wires.ts';
import { createKit, type ReadyServer } from './kit.ts';
import { type BuildServer, createServerPool } from './server-pool.ts';

const kit = createKit({ version: '1', tools: [], instructions: '', attach: {} });

/** Builds servers and keeps them for the test to look at. */
function builder(isIdle: () => boolean = () => true): {
  readonly built: { readonly server: ReadyServer; readonly current: () => HttpConnection }[];
  readonly build: BuildServer;
} {
  const built: { readonly server: ReadyServer; readonly current: () => HttpConnection }[] = [];
  return {
    built,
    build: (_era, current) => {
      const server = { ...kit.createServer({ overHttp: true }), isIdle };
      built.push({ server, current });
      return server;
    },
  };
}

function connectionOf(sessionId: string | undefined, client = 'one'): HttpConnection {
  return {
    era: sessionId === undefined ? 'modern' : 'legacy',
    memory: createMemory({ initialize: { clientInfo: { name: client } } }),
    sessionId,
    principal: 'p',
    requestState: { seal: () => '', verify: () => undefined },
  };
}

describe('a pool of servers', () => {
  test('lends a server again after it was given back, and never to two requests at once', async () => {
    const { built, build } = builder();
    const pool = createServerPool(build);
    const [first, second] = [pool.take(connectionOf('a')), pool.take(connectionOf('b'))];
    expect(built).toHaveLength(2);
    await first.close();
    await first.close();
    const third = pool.take(connectionOf('c'));
    const fourth = pool.take(connectionOf('d'));
    expect(built).toHaveLength(3);
    await Promise.all([second.close(), third.close(), fourth.close()]);
    await pool.close();
  });

  test('closes a server whose call still runs, instead of lending it again', async () => {
    const { built, build } = builder(() => false);
    const pool = createServerPool(build);
    await pool.take(connectionOf('a')).close();
    pool.take(connectionOf('b'));
    expect(built).toHaveLength(2);
    await pool.close();
  });

  test('tells a server which connection it serves now', async () => {
    const { built, build } = builder();
    const pool = createServerPool(build);
    await pool.take(connectionOf('a')).close();
    const now = connectionOf('b');
    pool.take(now);
    expect(built.map(({ current }) => current())).toEqual([now]);
    await pool.close();
  });

  test('keeps the two eras apart', async () => {
    const { built, build } = builder();
    const pool = createServerPool(build);
    await pool.take(connectionOf('a')).close();
    pool.take(connectionOf(undefined));
    expect(built).toHaveLength(2);
    await pool.close();
  });

  test('knows which initialize a server has answered', async () => {
    const { build } = builder();
    const pool = createServerPool(build);
    const first = pool.take(connectionOf('a'));
    expect(first.isInitialized).toBe(false);
    first.isInitialized = true;
    await first.close();
    const second = pool.take(connectionOf('b'));
    expect(second.isInitialized).toBe(true);
    await second.close();
    expect(pool.take(connectionOf('c', 'other')).isInitialized).toBe(false);
    await pool.close();
  });

  test('takes a server that failed to initialize for one that did not', async () => {
    const { build } = builder();
    const pool = createServerPool(build);
    await pool.take(connectionOf('a')).close();
    expect(pool.take(connectionOf('a')).isInitialized).toBe(false);
    await pool.close();
  });

  test('connects a server again after it was closed', async () => {
    const { built, build } = builder();
    const pool = createServerPool(build);
    for (let count = 0; count < 2; count += 1) {
      const lent = pool.take(connectionOf('a'));
      await lent.connect(linkWires().server as never);
      await lent.close();
    }
    expect(built).toHaveLength(1);
    await pool.close();
  });
});
