import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { connectClient, type TestClient } from '../http/clients.ts';
import { eventually } from '../http/eventually.ts';
import { token } from '../http/open-endpoint.ts';
import { beginSession, call, head, openSocket, send } from '../http/raw.ts';
import { canRun, needs } from '../system-programs.ts';
import { timed } from './gate.ts';
import { type Cluster, type Node, openCluster } from './open-cluster.ts';
import { startRedis } from './redis-server.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const tool = 'list_allowed_directories';
const shell = ['--allow', 'execute,remove', '--allow-unconfined-shell'];

describe.runIf(canRun('redis-server'))(`nodes under load${needs('redis-server')}`, () => {
  test('F8: a client that does not read is cut off before it costs memory: 200 MiB, and the node grows by less than 32', async () => {
    await using redis = await startRedis();
    const program = fileURLToPath(new URL('unread-stream.mjs', import.meta.url));
    const child = spawn(process.execPath, [program, redis.address], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const port = Number(String(await once(child.stdout, 'data')));
      const headers = await beginSession({ port });
      const socket = await openSocket({ port });
      socket.pause();
      const body = JSON.stringify(call(1, 'talk'));
      socket.write(head({ port }, { ...headers, 'content-length': body.length }) + body);
      const report = JSON.parse(String(await once(child.stdout, 'data')));
      expect(report).toMatchObject({ cut: true });
      // The bare SDK grows by more than 200. What is allowed here is what garbage collection does not return at once.
      expect(report.grown).toBeLessThan(32);
      socket.destroy();
      expect((await send({ port }, { headers, body: call(2, 'no-such-tool') })).status).toBe(200);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('F10: 1,500 clients come at once: the rest is told when to come back, and who is there is served', async () => {
    await using cluster = await openCluster({ nodes: 1 });
    const [node] = cluster.nodes as [Node];
    const headers = await beginSession(node);
    let id = 0;
    const callOnce = async (): Promise<number> => {
      const { result, milliseconds } = await timed(
        send(node, { headers, body: call((id += 1), 'no-such-tool') }),
      );
      expect(result?.status).toBe(200);
      return milliseconds;
    };
    const calm: number[] = [];
    for (let round = 0; round < 100; round += 1) calm.push(await callOnce());
    const state = { over: false };
    const storm = runStorm(node, 1_500).finally(() => (state.over = true));
    const during: number[] = [];
    while (!state.over) during.push(await callOnce());
    const outcomes = await storm;
    const begun = outcomes.filter(([status]) => status === 200);
    const refused = outcomes.filter(([status]) => status === 503);
    expect(begun.length + refused.length).toBe(1_500);
    expect(begun.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(([, seconds]) => seconds > 0)).toBe(true);
    // Not all at the same moment again.
    expect(new Set(refused.map(([, seconds]) => seconds)).size).toBeGreaterThan(1);
    // Twice as long, and what the storm itself takes away from a machine with two processors.
    expect(percentile(during, 0.99)).toBeLessThan(2 * percentile(calm, 0.99) + 250);
    await eventually(() => beginSession(node));
  });

  test('F20: nodes are replaced one after the other under load, with short calls and long ones: no call fails', async () => {
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

  test('F20: a call that takes longer than a node may take to leave ends with an error, and never hangs', async () => {
    await using cluster = await openCluster({ args: shell });
    const { url } = cluster.balancer;
    await using client = await connectClient('v2 in 2025', { url, roots: () => [cluster.root('app')] });
    await client.call(tool);
    const call = client.call('shell', { command: 'touch begun; sleep 60' });
    await eventually(() => expect(existsSync(cluster.tree.at('app', 'begun'))).toBe(true));
    const held = cluster.balancer.passed.findLast(({ method }) => method === 'tools/call')?.target;
    const ending = timed(call);
    await leave(cluster, cluster.nodes.find((node) => node === held) as Node);
    const { error, milliseconds } = await ending;
    expect(error).toBeDefined();
    expect(milliseconds).toBeLessThan(15_000);
    expect(await client.call(tool)).toContain('/app');
  });

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

async function runStorm({ port }: Node, count: number): Promise<readonly (readonly [number, number])[]> {
  const program = fileURLToPath(new URL('storm.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, `${port}`, `${count}`, token]);
  return JSON.parse(stdout);
}

/** As a balancer does it that looks after its nodes. */
async function leave({ balancer }: Cluster, node: Node): Promise<void> {
  node.signal('SIGTERM');
  await eventually(async () => {
    expect((await send(node, { method: 'GET', path: '/healthz' })).status).toBe(503);
  });
  balancer.targets.splice(balancer.targets.indexOf(node), 1);
  await node.ended;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
