import { describe, expect, test } from 'vitest';
import { connectClient } from '../http/clients.ts';
import { eventually } from '../http/eventually.ts';
import { beginSession, call, send } from '../http/raw.ts';
import { canRun, needs } from '../system-programs.ts';
import { timed } from './gate.ts';
import { openCluster } from './open-cluster.ts';
import { startRedisProxy } from './redis-proxy.ts';
import { startRedis } from './redis-server.ts';

const tool = 'list_allowed_directories';

describe.runIf(canRun('redis-server'))(`an engine that is lost${needs('redis-server')}`, () => {
  test('F4: without persistence: 503 within 300 ms while it is away, 404 afterwards, and a new session works', async () => {
    await using cluster = await openCluster();
    const { balancer, redis } = cluster;
    const headers = await beginSession(balancer);
    await redis.kill();
    for (let id = 1; id <= 4; id += 1) {
      const { result, milliseconds } = await timed(send(balancer, { headers, body: call(id, tool) }));
      expect(result?.status).toBe(503);
      expect(Number(result?.headers['retry-after'])).toBeGreaterThan(0);
      expect(milliseconds).toBeLessThan(400);
    }
    await eventually(async () => {
      const health = await send(balancer, { method: 'GET', path: '/healthz' });
      expect(health).toMatchObject({ status: 200, text: '{"status":"ok","sessions":"away"}' });
    });
    await redis.start();
    const after = await eventually(async () => {
      const response = await send(balancer, { headers, body: call(9, tool) });
      expect(response.status).not.toBe(503);
      return response;
    });
    expect(after.json()).toMatchObject({ error: { code: -32_001 } });
    expect(after.status).toBe(404);
    await eventually(() => beginSession(balancer));
  });

  test('F5: with a log that is kept: sessions survive, and are served within a second of its return', async () => {
    await using cluster = await openCluster({ redis: ['--appendonly', 'yes', '--appendfsync', 'always'] });
    const { balancer, redis } = cluster;
    const roots = () => [cluster.root('app')];
    await using client = await connectClient('v2 in 2025', { url: balancer.url, roots });
    expect(await client.call(tool)).toContain('/app');
    await redis.kill();
    await expect(client.call(tool)).rejects.toThrow();
    await redis.start();
    const back = performance.now();
    await eventually(async () => expect(await client.call(tool)).toContain('/app'));
    expect(performance.now() - back).toBeLessThan(1_000);
    // Answers find their way again: both nodes have subscribed anew.
    for (let round = 0; round < 4; round += 1) {
      await client.rootsChanged();
      expect(await client.call(tool)).toContain('/app');
    }
  });

  test('F6: a replica takes over without the last writes: roots that were taken back do not return', async () => {
    await using primary = await startRedis();
    await using replica = await startRedis('--replicaof', '127.0.0.1', `${primary.port}`);
    await using proxy = await startRedisProxy(primary.port);
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

  test('F7: an answer is lost between nodes: the client is asked once more, and the call is served within 5 s', async () => {
    await using cluster = await openCluster();
    const { balancer } = cluster;
    const roots = () => [cluster.root('app')];
    await using client = await connectClient('v2 in 2025', { url: balancer.url, roots });
    balancer.lose('response');
    const { result, milliseconds } = await timed(client.call(tool));
    expect(result).toContain('/app');
    expect(client.asked()).toBe(2);
    expect(milliseconds).toBeLessThan(5_000);
  });

  test('a cluster of engines serves like one', async () => {
    await using cluster = await openCluster({
      redis: ['--cluster-enabled', 'yes'],
      address: ({ port }) => `redis+cluster://127.0.0.1:${port}`,
      nodes: 0,
    });
    await cluster.redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await eventually(async () =>
      expect(await cluster.redis.command('CLUSTER', 'INFO')).toContain('state:ok'),
    );
    await Promise.all([cluster.addNode(), cluster.addNode()]);
    const roots = () => [cluster.root('app')];
    await using client = await connectClient('v1', { url: cluster.balancer.url, roots });
    for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/app');
    expect(client.asked()).toBe(1);
  });
});
