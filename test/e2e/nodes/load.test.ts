import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { connectClient, type TestClient } from '../../support/http/clients.ts';
import { eventually } from '../../support/http/eventually.ts';
import { beginSession, call, head, openSocket, send } from '../../support/http/raw.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { timed } from '../../support/redis/gate.ts';
import { type Cluster, type Node, openCluster } from '../../support/redis/open-cluster.ts';
import { startRedis } from '../../support/redis/redis-server.ts';
import { openCaller, runStorm } from '../../support/redis/storm.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 240_000 });

const tool = 'list_allowed_directories';
const shell = ['--allow', 'execute,remove', '--allow-unconfined-shell'];

describe.runIf(canRun('redis-server'))(`nodes under load${needs('redis-server')}`, () => {
  test('F8: a client that does not read is cut off before it costs memory: of 200 MiB the node holds less than 2', async () => {
    await using redis = await startRedis();
    const program = fileURLToPath(new URL('../../support/redis/unread-stream.mjs', import.meta.url));
    const args = ['--expose-gc', program, redis.address];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const told = async () =>
      JSON.parse(String(await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })));
    try {
      const { port, naive } = await told();
      const headers = await beginSession({ port });
      const body = JSON.stringify(call(1, 'talk'));
      const unread = await openSocket({ port });
      unread.pause().write(head({ port }, { ...headers, 'content-length': body.length }) + body);
      const { cut, grown } = await told();
      expect(cut).toBe(true);
      expect(grown).toBeLessThan(2);
      unread.destroy();
      expect((await send({ port }, { headers, body: call(2, 'no-such-tool') })).status).toBe(200);
      // The same bytes, the same measure, and a server without a bound.
      const other = await openSocket({ port: naive });
      other.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      expect((await told()).grown).toBeGreaterThan(150);
      other.destroy();
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('F10: 1,500 clients come at once: those beyond the limit are told when to come back, and a session that is open gets every answer', async () => {
    await using cluster = await openCluster({ nodes: 1 });
    const [node] = cluster.nodes as [Node];
    using caller = await openCaller(node);
    const { waits, outcome } = await caller.during(runStorm(node));
    // How much longer it waits is measured by `npm run bench -- cluster`; here it must not hang.
    expect(Math.max(...waits)).toBeLessThan(30_000);
    const entered = outcome.filter(([status]) => status === 200);
    const refused = outcome.filter(([status]) => status === 503);
    expect(entered.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(entered.length + refused.length).toBe(1_500);
    expect(refused.every(([, seconds]) => seconds > 0)).toBe(true);
    // Not all at the same moment again.
    expect(new Set(refused.map(([, seconds]) => seconds)).size).toBeGreaterThan(1);
    await eventually(() => beginSession(node));
  });

  // Beside each other: most of their time is that of calls which take long.
  test.concurrent('F20: nodes are replaced one after the other under load, with short calls and long ones: no call fails', async () => {
    await using cluster = await openCluster({ args: shell });
    const { url } = cluster.balancer;
    const roots = () => [cluster.root('app')];
    await using one = await connectClient('v2 in 2025', { url, roots });
    await using other = await connectClient('v1', { url, roots });
    const state = { over: false, calls: 0, long: 0 };
    const repeat = async (act: () => Promise<void>): Promise<readonly unknown[]> => {
      const failed: unknown[] = [];
      while (!state.over) await act().catch((error: unknown) => failed.push(error));
      return failed;
    };
    const short = (client: TestClient) => async () => {
      expect(await client.call(tool)).toContain('/app');
      state.calls += 1;
      // There should be something left of the machine for those that start.
      await setTimeout(25);
    };
    const long = (client: TestClient) => async () => {
      expect(await client.call('shell', { command: `sleep 2; echo done ${state.long}` })).toContain('done');
      state.long += 1;
    };
    const load = [repeat(short(one)), repeat(short(other)), repeat(long(one)), repeat(long(other))];
    for (const old of cluster.nodes.slice(0, 2)) {
      await cluster.addNode();
      await leave(cluster, old);
    }
    state.over = true;
    expect((await Promise.all(load)).flat()).toEqual([]);
    expect(state.calls).toBeGreaterThan(20);
    expect(state.long).toBeGreaterThan(1);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  test.concurrent('F20: a call that takes longer than a node may take to leave ends with an error, and never hangs', async () => {
    await using cluster = await openCluster({ args: shell });
    const { url } = cluster.balancer;
    await using client = await connectClient('v2 in 2025', { url, roots: () => [cluster.root('app')] });
    await client.call(tool);
    const call = client.call('shell', { command: 'touch begun; sleep 60' });
    await eventually(() => expect(existsSync(cluster.tree.at('app', 'begun'))).toBe(true));
    const held = cluster.balancer.passed.findLast(({ method }) => method === 'tools/call')?.target;
    const node = cluster.nodes.find((each) => each === held) as Node;
    const ending = timed(call);
    node.signal('SIGTERM');
    // It says so to its observer.
    await eventually(async () => {
      const health = await send(node, { method: 'GET', path: '/healthz' });
      expect(health).toMatchObject({ status: 503, text: '{"status":"closing","sessions":"ok"}' });
    });
    cluster.balancer.targets.splice(cluster.balancer.targets.indexOf(node), 1);
    await node.ended;
    const { error, milliseconds } = await ending;
    expect(error).toBeDefined();
    // Long before the command line would have ended.
    expect(milliseconds).toBeLessThan(45_000);
    expect(await client.call(tool)).toContain('/app');
  });
});

/**
 * As a balancer does it that looks after its nodes. The node says on stderr that it leaves, which no busy machine hides:
 * what its observer sees of it is in the test of a call that takes longer.
 */
async function leave({ balancer }: Cluster, node: Node): Promise<void> {
  node.signal('SIGTERM');
  await eventually(() => expect(node.stderr()).toContain('finishing what is under way'));
  balancer.targets.splice(balancer.targets.indexOf(node), 1);
  await node.ended;
}
