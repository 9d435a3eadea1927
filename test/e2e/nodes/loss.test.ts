import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientKind, connectClient } from '../../support/http/clients.ts';
import { eventually } from '../../support/http/eventually.ts';
import { beginSession, call, send } from '../../support/http/raw.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { newGate, timed } from '../../support/redis/gate.ts';
import { openCall } from '../../support/redis/open-call.ts';
import { type Cluster, type Node, openCluster } from '../../support/redis/open-cluster.ts';
import { startTcpProxy } from '../../support/redis/tcp-proxy.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const kinds: readonly ClientKind[] = ['v2 in 2025', 'v1'];
const tool = 'list_allowed_directories';
const shell = ['--allow', 'execute,remove', '--allow-unconfined-shell'];

describe.runIf(canRun('redis-server'))(`nodes that are lost${needs('redis-server')}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await openCluster({ args: shell });
  });
  afterAll(() => cluster[Symbol.asyncDispose]());
  beforeEach(async () => {
    await cluster.refill();
  });

  test.each(kinds)(
    'F1: a node is killed in the middle of a call of %s: an error soon, and the next call is served',
    async (kind) => {
      const gate = newGate();
      const { url } = cluster.balancer;
      const roots = async () => {
        await gate.wait();
        return [cluster.root('app')];
      };
      await using client = await connectClient(kind, { url, roots });
      const session = client.sessionId();
      const call = client.call(tool);
      await gate.reached;
      holder(cluster).signal('SIGKILL');
      const { error, milliseconds } = await timed(call);
      expect(error?.message).toMatch(/not completed|outcome of the call is unknown/);
      expect(milliseconds).toBeLessThan(10_000);
      gate.open();
      for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/app');
      expect(client.sessionId()).toBe(session);
    },
  );

  test('F1: the machine of a node vanishes without a word in the middle of a call, and the balancer looks as the guide says: an error soon, and the next call is served', async () => {
    let address = '';
    await using own = await openCluster({ nodes: 0, address: () => address });
    const { balancer, redis } = own;
    await using engine = await startTcpProxy(redis.port);
    address = engine.address;
    const lost = await own.addNode();
    await using door = await startTcpProxy(lost.port);
    address = redis.address;
    const other = await own.addNode();
    balancer.targets.splice(0, 2, { port: door.port });
    const gate = newGate();
    const roots = async () => {
      await gate.wait();
      return [own.root('app')];
    };
    await using client = await connectClient('v2 in 2025', { url: balancer.url, roots });
    const call = client.call(tool);
    await gate.reached;
    balancer.targets.push(other);
    balancer.watch(500);
    for (const way of [engine, door]) way.freeze();
    const { error, milliseconds } = await timed(call);
    expect(error?.message).toMatch(/not completed|outcome of the call is unknown/);
    expect(milliseconds).toBeLessThan(10_000);
    gate.open();
    for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/app');
  });

  test('F1: a node is killed before it said anything: an error soon', async () => {
    const { url } = cluster.balancer;
    await using client = await connectClient('v2 in 2025', { url, roots: () => [cluster.root('app')] });
    await client.call(tool);
    const call = client.call('shell', { command: 'touch begun; sleep 30' });
    await eventually(() => expect(existsSync(cluster.tree.at('app', 'begun'))).toBe(true));
    holder(cluster).signal('SIGKILL');
    const { error, milliseconds } = await timed(call);
    expect(error).toBeDefined();
    expect(milliseconds).toBeLessThan(10_000);
    expect(await client.call(tool)).toContain('/app');
  });

  test('F2: the node that waits for roots is killed before the answer: it is refused, the call ends, and nothing is cached', async () => {
    const gate = newGate();
    const { url } = cluster.balancer;
    let names = ['app'];
    const roots = async () => {
      const listed = names.map((name) => cluster.root(name));
      await gate.wait();
      return listed;
    };
    await using client = await connectClient('v2 in 2025', { url, roots });
    const call = client.call(tool);
    await gate.reached;
    const lost = holder(cluster);
    lost.signal('SIGKILL');
    const ending = timed(call);
    await lost.ended;
    gate.open();
    const { error, milliseconds } = await ending;
    expect(error?.message).toMatch(/not completed|outcome of the call is unknown/);
    expect(milliseconds).toBeLessThan(10_000);
    await eventually(() => expect(client.errors.join('\n')).toMatch(/400|answers no open request/));
    names = ['lib'];
    expect(await client.call(tool)).toContain('/lib');
    expect(client.asked()).toBe(2);
  });

  test.each([
    ['after the client was told', false],
    ['before the client was told', true],
  ])(
    'F3: a node stands still until it counts as dead, its answer came %s: one outcome, no effect, and it serves again',
    async (_title, answerFirst) => {
      const [zombie, other] = await cluster.refill();
      const headers = await beginSession(other);
      const file = cluster.tree.at('app', `late ${answerFirst}.txt`);
      const body = call(1, 'write_file', { path: file, content: 'late' });
      const stream = await openCall(zombie, headers, body);
      const { id } = await stream.message(0);
      zombie.signal('SIGSTOP');
      const result = { roots: [cluster.root('app')] };
      const answer = () => send(other, { headers, body: { jsonrpc: '2.0', id, result } });
      if (answerFirst) await answer();
      await eventually(async () => expect(await leases(cluster)).toBe(1));
      const resumed = { ...headers, 'last-event-id': stream.event() };
      const told = await send(other, { method: 'GET', headers: resumed });
      expect(told.json()).toMatchObject({ id: 1, error: { code: -32_000 } });
      if (!answerFirst) await answer();
      zombie.signal('SIGCONT');
      await eventually(async () => expect(await leases(cluster)).toBe(2));
      // It is awake: whatever it has to say about the old call, it says before it is done with the next one.
      expect((await send(zombie, { headers, body: call(2, 'no-such-tool') })).status).toBe(200);
      await Promise.race([stream.closed, setTimeout(500)]);
      expect(stream.messages.filter((message) => 'result' in message)).toEqual([]);
      expect(existsSync(file)).toBe(false);
    },
  );

  test('F3, control: the same call without a pause has its effect', async () => {
    const [one, other] = await cluster.refill();
    const headers = await beginSession(other);
    const body = call(1, 'write_file', { path: cluster.tree.at('app', 'late.txt'), content: 'late' });
    const stream = await openCall(one, headers, body);
    const { id } = await stream.message(0);
    const result = { roots: [cluster.root('app')] };
    expect((await send(other, { headers, body: { jsonrpc: '2.0', id, result } })).status).toBe(202);
    expect(await stream.message(1)).toMatchObject({ id: 1, result: {} });
    expect(existsSync(cluster.tree.at('app', 'late.txt'))).toBe(true);
  });
});

async function leases({ redis }: Cluster): Promise<number> {
  return (await redis.command('KEYS', 'rw:*lease')).match(/lease/g)?.length ?? 0;
}

function holder({ nodes, balancer }: Cluster): Node {
  const held = balancer.passed.findLast(({ method }) => method === 'tools/call')?.target;
  const found = nodes.find((node) => node === held);
  if (found === undefined) throw new Error('No node holds a call');
  return found;
}
