import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectClient } from '../../support/http/clients.ts';
import { eventually } from '../../support/http/eventually.ts';
import { askForRoots, beginSession, call, initialize, send } from '../../support/http/raw.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import type { Target } from '../../support/redis/balancer.ts';
import { timed } from '../../support/redis/gate.ts';
import { openCall } from '../../support/redis/open-call.ts';
import { type Cluster, type Node, openCluster } from '../../support/redis/open-cluster.ts';
import { openPair } from '../../support/redis/open-pair.ts';
import { type RedisServer, startRedis } from '../../support/redis/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../../support/redis/tcp-proxy.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const tool = 'list_allowed_directories';

describe.runIf(canRun('redis-server'))(`an engine that is lost${needs('redis-server')}`, () => {
  let shared: Cluster;
  beforeAll(async () => {
    shared = await openCluster();
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  test.each([
    ['is killed', 'kill', 'start'],
    ['stands still', 'pause', 'resume'],
  ] as const)(
    'F4: it %s: each call has 503 with Retry-After soon, and it serves afterwards',
    async (_title, leave, comeBack) => {
      const { balancer, redis } = shared;
      const headers = await eventually(() => beginSession(balancer));
      await expectRefusals(balancer, headers, () => redis[leave]());
      const health = await send(balancer, { method: 'GET', path: '/healthz' });
      expect(health).toMatchObject({ status: 200, text: '{"status":"ok","sessions":"away"}' });
      await redis[comeBack]();
      await eventually(() => beginSession(balancer));
      const after = await send(balancer, { headers, body: call('after', 'no-such-tool') });
      // Without persistence its end is that of all sessions.
      expect(after.status).toBe(leave === 'kill' ? 404 : 200);
      if (leave === 'kill') expect(after.json()).toMatchObject({ error: { code: -32_001 } });
    },
  );

  test.each([
    ['vanishes without a word', (way: TcpProxy) => way.freeze(), (way: TcpProxy) => way.thaw()],
    ['answers byte by byte', (way: TcpProxy) => way.trickle(50), (way: TcpProxy) => way.trickle(0)],
  ] as const)(
    'F4: it %s: each call has 503 with Retry-After soon, and it serves after its return',
    async (_title, leave, comeBack) => {
      await using pair = await openPair();
      const headers = await beginSession(pair.one);
      await expectRefusals(pair.one, headers, () => leave(pair.way));
      comeBack(pair.way);
      const back = performance.now();
      for (const node of [pair.one, pair.other]) {
        await eventually(async () => {
          const body = call(`after ${node.port}`, 'who');
          expect((await send(node, { headers, body })).status).toBe(200);
        });
      }
      expect(performance.now() - back).toBeLessThan(10_000);
      // Answers find their way again.
      const { id, rest } = await askForRoots(pair.one, headers);
      const answer = { jsonrpc: '2.0', id, result: { roots: [] } };
      await eventually(async () =>
        expect((await send(pair.other, { headers, body: answer })).status).toBe(202),
      );
      expect((await rest.next()).value).toMatchObject({ id: 1, result: {} });
    },
  );

  test('the machine of Redis vanishes and another one takes its address: sessions are served again', async () => {
    await using pair = await openPair();
    const headers = await beginSession(pair.one);
    // What is open stays silent for ever; who connects anew is served.
    pair.way.freeze('old');
    const begun = performance.now();
    expect((await send(pair.one, { headers, body: call(1, 'who') })).status).toBe(503);
    await eventually(async () => {
      expect((await send(pair.one, { headers, body: call(2, 'who') })).status).toBe(200);
    });
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('F5: with a log that is written every second: sessions survive that it is away, and are served after its return', async () => {
    await using cluster = await openCluster({ redis: ['--appendonly', 'yes', '--appendfsync', 'everysec'] });
    const { balancer, redis } = cluster;
    const roots = () => [cluster.root('app')];
    await using client = await connectClient('v2 in 2025', { url: balancer.url, roots });
    await using other = await connectClient('v1', { url: balancer.url, roots });
    for (const each of [client, other]) expect(await each.call(tool)).toContain('/app');
    await redis.kill();
    const gone = performance.now();
    while (performance.now() - gone < 1_000) await expect(client.call(tool)).rejects.toThrow();
    await redis.start();
    const back = performance.now();
    await eventually(async () => expect(await client.call(tool)).toContain('/app'));
    await eventually(async () => expect(await other.call(tool)).toContain('/app'));
    expect(performance.now() - back).toBeLessThan(10_000);
    // Answers find their way again: both nodes have subscribed anew.
    for (let round = 0; round < 4; round += 1) {
      for (const each of [client, other]) {
        await each.rootsChanged();
        expect(await each.call(tool)).toContain('/app');
      }
    }
  });

  test('F6: a replica takes over without the last writes: roots that were taken back do not return', async () => {
    await using primary = await startRedis();
    await using replica = await startRedis('--replicaof', '127.0.0.1', `${primary.port}`);
    await using proxy = await startTcpProxy(primary.port);
    await using cluster = await openCluster({ address: () => proxy.address });
    const { url } = cluster.balancer;
    let name = 'app';
    await using client = await connectClient('v2 in 2025', { url, roots: () => [cluster.root(name)] });
    expect(await client.call(tool)).toContain('/app');
    expect(await client.call(tool)).toContain('/app');
    expect(client.asked()).toBe(1);
    await eventually(async () =>
      expect(await replica.command('KEYS', `rw:{${client.sessionId()}}`)).toMatch(/^\*1/),
    );
    const kept = await primary.command('DUMP', `rw:{${client.sessionId()}}`);
    await eventually(async () =>
      expect(await replica.command('DUMP', `rw:{${client.sessionId()}}`)).toBe(kept),
    );
    // From here on the replica misses everything.
    await replica.command('REPLICAOF', 'NO', 'ONE');
    name = 'lib';
    await client.rootsChanged();
    proxy.turnTo(replica.port);
    await eventually(async () => expect(await client.call(tool)).toContain('/lib'));
    for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).not.toContain('/app');
  });

  describe('that loses messages between nodes', () => {
    let redis: RedisServer;
    let way: TcpProxy;
    let cluster: Cluster;
    beforeAll(async () => {
      redis = await startRedis();
      way = await startTcpProxy(redis.port);
      cluster = await openCluster({ address: () => way.address });
    });
    afterAll(async () => {
      for (const each of [cluster, way, redis]) await each[Symbol.asyncDispose]();
    });

    test('F7: one of them: the client is asked once more, and the call is served', async () => {
      const roots = () => [cluster.root('app')];
      await using client = await connectClient('v2 in 2025', { url: cluster.balancer.url, roots });
      const before = way.lost();
      way.lose(1);
      const { result, milliseconds } = await timed(client.call(tool));
      expect(way.lost() - before).toBe(1);
      expect(result).toContain('/app');
      expect(client.asked()).toBe(2);
      expect(milliseconds).toBeLessThan(10_000);
    });

    test('F7: every one: the call ends, and the next change is heard', async () => {
      const [one, other] = cluster.nodes as [Node, Node];
      const headers = await beginSession(one);
      /** Answers each question through the other node; the last message is no question. */
      const callOver = async (id: number): Promise<object> => {
        const stream = await openCall(one, headers, call(id, tool));
        for (let number = 0; ; number += 1) {
          const message = await stream.message(number);
          if (message.method !== 'roots/list') return message;
          const result = { roots: [cluster.root('app')] };
          const body = { jsonrpc: '2.0', id: message.id, result };
          expect((await send(other, { headers, body })).status).toBe(202);
        }
      };
      const before = way.lost();
      way.lose(Infinity);
      const { result: last, milliseconds } = await timed(callOver(1));
      expect(milliseconds).toBeLessThan(10_000);
      expect(way.lost() - before).toBeGreaterThan(1);
      expect(last).toMatchObject({ id: 1 });
      expect(JSON.stringify(last)).not.toContain('/app');
      way.lose(0);
      const changed = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
      expect((await send(other, { headers, body: changed })).status).toBe(202);
      expect(JSON.stringify(await callOver(2))).toContain('/app');
    });
  });
});

/** Calls and new sessions for a second from the moment on in which it leaves: all are refused, and none hangs. */
async function expectRefusals(
  target: Target,
  headers: Record<string, string>,
  leave: () => void | Promise<void>,
): Promise<void> {
  await leave();
  const until = performance.now() + 1_000;
  for (let id = 1; id <= 5 || performance.now() < until; id += 1) {
    const requests = [{ headers, body: call(id, 'no-such-tool') }, { body: initialize }];
    const answers = await Promise.all(requests.map((request) => timed(send(target, request))));
    for (const { result, milliseconds } of answers) {
      expect(result?.status).toBe(503);
      expect(Number(result?.headers['retry-after'])).toBeGreaterThan(0);
      expect(milliseconds).toBeLessThan(10_000);
    }
  }
}
