import { describe, expect, test } from 'vitest';
import { type ClientKind, connectClient } from '../http/clients.ts';
import { eventually } from '../http/eventually.ts';
import { beginSession, send } from '../http/raw.ts';
import { canRun, needs } from '../system-programs.ts';
import { newGate, timed } from './gate.ts';
import { type Cluster, type Node, openCluster } from './open-cluster.ts';

const kinds: readonly ClientKind[] = ['v2 in 2025', 'v1'];

describe.runIf(canRun('redis-server'))(`nodes that are lost${needs('redis-server')}`, () => {
  test.each(kinds)(
    'F1: a node is killed in the middle of a call of %s: an error within 2 s, and the next call is served',
    async (kind) => {
      await using cluster = await openCluster();
      const gate = newGate();
      const { url } = cluster.balancer;
      const roots = async () => {
        await gate.wait();
        return [cluster.root('app')];
      };
      await using client = await connectClient(kind, { url, roots });
      const call = timed(client.call('list_allowed_directories'));
      await gate.reached;
      holder(cluster).signal('SIGKILL');
      const { error, milliseconds } = await call;
      expect(error?.message).toMatch(/not completed|nobody knows/);
      expect(milliseconds).toBeLessThan(2_000);
      gate.open();
      expect(await client.call('list_allowed_directories')).toContain('/app');
    },
  );

  test('F1: a node is killed before it said anything: an error at once', async () => {
    await using cluster = await openCluster({
      args: ['--allow', 'execute', '--allow-unconfined-shell'],
    });
    const { url } = cluster.balancer;
    await using client = await connectClient('v2 in 2025', { url, roots: () => [cluster.root('app')] });
    await client.call('list_allowed_directories');
    const call = timed(client.call('shell', { command: 'sleep 30' }));
    await eventually(() => expect(cluster.balancer.holderOf('tools/call')).toBeDefined());
    holder(cluster).signal('SIGKILL');
    const { error, milliseconds } = await call;
    expect(error).toBeDefined();
    expect(milliseconds).toBeLessThan(2_000);
    expect(await client.call('list_allowed_directories')).toContain('/app');
  });

  test('F2: the node that waits for roots is killed before the answer: it is refused, and nothing is cached', async () => {
    await using cluster = await openCluster();
    const gate = newGate();
    const { url } = cluster.balancer;
    let names = ['app'];
    const roots = async () => {
      const listed = names.map((name) => cluster.root(name));
      await gate.wait();
      return listed;
    };
    await using client = await connectClient('v2 in 2025', { url, roots });
    const call = timed(client.call('list_allowed_directories'));
    await gate.reached;
    holder(cluster).signal('SIGKILL');
    await Promise.all(cluster.nodes.filter((node) => node === holder(cluster)).map(({ ended }) => ended));
    gate.open();
    expect((await call).error).toBeDefined();
    await eventually(() => expect(client.errors.join('\n')).toMatch(/400|Nothing was asked/));
    names = ['lib'];
    expect(await client.call('list_allowed_directories')).toContain('/lib');
  });

  test('F3: a node stands still and comes back: the client sees one outcome, and the node serves again', async () => {
    await using cluster = await openCluster();
    const gate = newGate();
    const { url } = cluster.balancer;
    const roots = async () => {
      await gate.wait();
      return [cluster.root('app')];
    };
    await using client = await connectClient('v2 in 2025', { url, roots });
    const outcomes: string[] = [];
    const call = client.call('list_allowed_directories').then(
      () => outcomes.push('result'),
      () => outcomes.push('error'),
    );
    await gate.reached;
    const zombie = holder(cluster);
    zombie.signal('SIGSTOP');
    cluster.balancer.targets.splice(cluster.balancer.targets.indexOf(zombie), 1);
    cluster.balancer.passed.findLast(({ method }) => method === 'tools/call')?.cut();
    await call;
    gate.open();
    // Its lease is over before it comes back.
    await eventually(async () => expect(await cluster.redis.command('KEYS', 'rw:*lease')).toMatch(/^\*1\r/));
    zombie.signal('SIGCONT');
    await eventually(async () => expect(await cluster.redis.command('KEYS', 'rw:*lease')).toMatch(/^\*2\r/));
    expect(outcomes).toEqual(['error']);
    cluster.balancer.targets.splice(0, 1, zombie);
    expect(await client.call('list_allowed_directories')).toContain('/app');
    expect(outcomes).toEqual(['error']);
  });

  test('F20: nodes are replaced one after the other under load: no call fails', async () => {
    await using cluster = await openCluster();
    const { url } = cluster.balancer;
    const roots = () => [cluster.root('app')];
    await using one = await connectClient('v2 in 2025', { url, roots });
    await using other = await connectClient('v1', { url, roots });
    const state = { over: false, calls: 0 };
    const load = [one, other].map(async (client) => {
      const failed: unknown[] = [];
      while (!state.over) {
        await client.call('list_allowed_directories').catch((error: unknown) => failed.push(error));
        state.calls += 1;
      }
      return failed;
    });
    for (const old of cluster.nodes.slice(0, 2)) {
      await cluster.addNode();
      old.signal('SIGTERM');
      // A balancer that looks after its nodes sees it there.
      await eventually(async () => {
        expect((await send(old, { method: 'GET', path: '/healthz' })).status).toBe(503);
      });
      cluster.balancer.targets.splice(cluster.balancer.targets.indexOf(old), 1);
      await old.ended;
    }
    state.over = true;
    expect((await Promise.all(load)).flat()).toEqual([]);
    expect(state.calls).toBeGreaterThan(20);
    expect([...one.errors, ...other.errors]).toEqual([]);
  }, 60_000);

  test('a node that leaves says so to whoever watches', async () => {
    await using cluster = await openCluster({ nodes: 1 });
    const [node] = cluster.nodes as [Node];
    await beginSession(node);
    node.signal('SIGTERM');
    await eventually(async () => {
      const health = await send(node, { method: 'GET', path: '/healthz' });
      expect(health).toMatchObject({ status: 503, text: '{"status":"closing","sessions":"ok"}' });
    });
    await node.ended;
  });
});

function holder({ nodes, balancer }: Cluster): Node {
  const held = balancer.passed.findLast(({ method }) => method === 'tools/call')?.target;
  const found = nodes.find((node) => node === held);
  if (found === undefined) throw new Error('No node holds a call');
  return found;
}
