import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore } from '../../src/sessions/redis-store.ts';
import { type ClientKind, connectClient } from '../http/clients.ts';
import { eventually } from '../http/eventually.ts';
import { askForRoots, beginSession, call, send } from '../http/raw.ts';
import { childrenOf } from '../serve/children-of.ts';
import { canRun, needs } from '../system-programs.ts';
import { newGate, timed } from './gate.ts';
import { type Cluster, type Node, openCluster } from './open-cluster.ts';

const kinds: readonly ClientKind[] = ['v2 in 2025', 'v1', 'v1.12'];
const tool = 'list_allowed_directories';

describe.runIf(canRun('redis-server'))(`two nodes${needs('redis-server')}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await openCluster({
      args: ['--allow', 'execute,remove', '--allow-unconfined-shell', '--debug'],
    });
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  const pair = (): [Node, Node] => cluster.nodes.slice(0, 2) as [Node, Node];
  const rootsOf =
    (...names: readonly string[]) =>
    () =>
      names.map((name) => cluster.root(name));

  test.each(kinds)('serve %s in turns, and ask it once', async (kind) => {
    const { balancer } = cluster;
    const before = balancer.passed.length;
    await using client = await connectClient(kind, { url: balancer.url, roots: rootsOf('app') });
    for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/app');
    expect(client.asked()).toBe(1);
    expect(client.errors).toEqual([]);
    const calls = balancer.passed.slice(before).filter(({ method }) => method === 'tools/call');
    expect(new Set(calls.map(({ target }) => target)).size).toBe(2);
  });

  test.each(kinds)('F9: answer GET of %s with 405, and it does not mind', async (kind) => {
    const { url } = cluster.balancer;
    for (let time = 0; time < 2; time += 1) {
      await using client = await connectClient(kind, { url, roots: rootsOf('app') });
      expect(await client.call(tool)).toContain('/app');
      expect(client.errors).toEqual([]);
    }
    const headers = await beginSession(cluster.balancer);
    expect((await send(cluster.balancer, { method: 'GET', headers })).status).toBe(405);
  });

  test('F11: forget a session everywhere at once, and begin another', async () => {
    const [one, other] = pair();
    const headers = await beginSession(one);
    expect((await send(other, { headers, body: call(1, 'no-such-tool') })).status).toBe(200);
    await cluster.redis.command('PEXPIRE', `rw:{${headers['mcp-session-id']}}`, '0');
    for (const node of [one, other]) {
      await eventually(async () => {
        const response = await send(node, { headers, body: call(2, 'no-such-tool') });
        expect(response.status).toBe(404);
        expect(response.json()).toMatchObject({ error: { code: -32_001 } });
      });
    }
    await expect(beginSession(other)).resolves.toBeDefined();
  });

  test('end a session for each other, with what it has under way', async () => {
    const [one, other] = pair();
    const headers = await beginSession(one);
    const { rest } = await askForRoots(one, headers, tool);
    expect((await send(other, { method: 'DELETE', headers })).status).toBe(204);
    expect((await rest.next()).value).toMatchObject({ error: { message: 'The session is over' } });
    expect((await send(one, { headers, body: call(2, tool) })).status).toBe(404);
  });

  test('F12: serve one call at most with an answer that a change overtook, and never keep it', async () => {
    const gate = newGate();
    let name = 'app';
    const roots = async () => {
      const listed = [cluster.root(name)];
      if (name === 'app') await gate.wait();
      return listed;
    };
    await using client = await connectClient('v2 in 2025', { url: cluster.balancer.url, roots });
    const first = client.call(tool);
    await gate.reached;
    name = 'lib';
    await client.rootsChanged();
    gate.open();
    await first;
    for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/lib');
  });

  test('F13: never meet old roots after the 202 of a change', async () => {
    let name = 'app';
    const roots = () => [cluster.root(name)];
    await using client = await connectClient('v2 in 2025', { url: cluster.balancer.url, roots });
    for (let round = 0; round < 40; round += 1) {
      name = ['app', 'lib', 'docs'][round % 3] ?? '';
      await client.rootsChanged();
      expect(await client.call(tool)).toContain(`/${name}`);
    }
  });

  test('F14: drop, refuse and record an answer of another session, on whichever node it comes', async () => {
    const [one, other] = pair();
    const [mine, theirs] = [await beginSession(one), await beginSession(one)];
    const { id, rest } = await askForRoots(one, mine, tool);
    const lie = { jsonrpc: '2.0', id, result: { roots: [cluster.root('docs')] } };
    for (const node of [one, other])
      expect((await send(node, { headers: theirs, body: lie })).status).toBe(400);
    const truth = { jsonrpc: '2.0', id, result: { roots: [cluster.root('app')] } };
    expect((await send(other, { headers: mine, body: truth })).status).toBe(202);
    const answer = JSON.stringify((await rest.next()).value);
    expect(answer).toContain('/app');
    expect(answer).not.toContain('/docs');
  });

  test('F15: tell nobody about the streams of somebody else', async () => {
    const [one, other] = pair();
    const [mine, theirs] = [await beginSession(one), await beginSession(one)];
    const { event } = await askForRoots(one, mine, tool);
    const headers = { ...theirs, 'last-event-id': event };
    for (const node of [one, other]) expect((await send(node, { method: 'GET', headers })).status).toBe(404);
    const own = await send(other, { method: 'GET', headers: { ...mine, 'last-event-id': event } });
    expect(own.json()).toMatchObject({ id: 1, error: { message: expect.stringContaining('not completed') } });
  });

  test('F17: wait for nothing once the client has cancelled, also through the other node', async () => {
    const [one, other] = pair();
    const headers = await beginSession(one);
    const { id, rest, socket } = await askForRoots(one, headers, tool);
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await send(other, { headers, body })).status).toBe(202);
    expect((await rest.next()).value).toMatchObject({ id: 1, error: { message: 'The call was cancelled' } });
    const late = { jsonrpc: '2.0', id, result: { roots: [] } };
    await eventually(async () => expect((await send(one, { headers, body: late })).status).toBe(400));
    socket.destroy();
  });

  test('F18: take one answer of two', async () => {
    const [one, other] = pair();
    const headers = await beginSession(one);
    const { id, rest } = await askForRoots(one, headers, tool);
    const answer = { jsonrpc: '2.0', id, result: { roots: [cluster.root('app')] } };
    await Promise.all([one, other].map((node) => send(node, { headers, body: answer })));
    expect(JSON.stringify((await rest.next()).value)).toContain('/app');
    expect((await send(other, { headers, body: call(2, tool) })).text).toContain('/app');
  });

  test('F19: run a call once that a balancer sends twice', async () => {
    const [one, other] = pair();
    const headers = await beginSession(one);
    const { id, rest } = await askForRoots(one, headers, tool);
    const answer = { jsonrpc: '2.0', id, result: { roots: [cluster.root('app')] } };
    await send(one, { headers, body: answer });
    await rest.next();
    const body = call(7, 'shell', { command: 'echo once >> log.txt' });
    const responses = await Promise.all([one, other].map((node) => send(node, { headers, body })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(readFileSync(cluster.tree.at('app', 'log.txt'), 'utf8')).toBe('once\n');
  });

  test('F22: refuse to start with the id of another process', async () => {
    const lease = await cluster.redis.command('KEYS', 'rw:*:lease');
    const [, nodeId] = /rw:\{([\w-]+)\}:lease/.exec(lease) ?? [];
    const secrets = [Buffer.alloc(32)];
    const opening = openRedisStore({ address: cluster.redis.address, secrets, nodeId: nodeId ?? '' });
    await expect(opening).rejects.toThrow('another process has the id of this node');
  });

  test('F10: serve who has a session while a storm of others begins one', async () => {
    const [one] = pair();
    const headers = await beginSession(one);
    const storm = timed(
      Promise.all(Array.from({ length: 600 }, () => beginSession(one).then(() => 'begun', String))),
    );
    const { result } = await timed(send(one, { headers, body: call(1, 'no-such-tool') }));
    expect(result?.status).toBe(200);
    const { result: outcomes = [] } = await storm;
    expect(outcomes.filter((outcome) => outcome === 'begun').length).toBe(600);
  });
});

test.runIf(canRun('redis-server'))(
  `several processes of one command are nodes of their own, and one that is lost is replaced${needs('redis-server')}`,
  async () => {
    await using cluster = await openCluster({ nodes: 1, args: ['--workers', '2'] });
    const { redis, balancer } = cluster;
    const leases = async () => (await redis.command('KEYS', 'rw:*:lease')).match(/rw:\{/g)?.length;
    expect(await leases()).toBe(2);
    const [primary] = cluster.nodes as [Node];
    const roots = () => [cluster.root('app')];
    await using client = await connectClient('v2 in 2025', { url: balancer.url, roots });
    for (let round = 0; round < 6; round += 1) expect(await client.call(tool)).toContain('/app');
    expect(client.asked()).toBe(1);
    const [worker = ''] = childrenOf(primary.pid);
    process.kill(Number.parseInt(worker, 10), 'SIGKILL');
    await eventually(() => {
      expect(childrenOf(primary.pid)).toHaveLength(2);
      expect(childrenOf(primary.pid)).not.toContain(worker);
    });
    await eventually(async () => expect(await client.call(tool)).toContain('/app'));
    primary.signal('SIGTERM');
    expect(await primary.ended).toEqual([0, null]);
    expect(await leases()).toBeUndefined();
  },
  60_000,
);
