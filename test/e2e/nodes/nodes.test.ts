import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ClientKind, connectClient } from '../../support/http/clients.ts';
import { eventually } from '../../support/http/eventually.ts';
import { askForRoots, beginSession, call, send } from '../../support/http/raw.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { attackScale } from '../../support/race/seed.ts';
import { newGate } from '../../support/redis/gate.ts';
import { type Cluster, type Node, openCluster } from '../../support/redis/open-cluster.ts';
import { openLine, postPatiently, type RawLine, streamEnd } from '../../support/redis/raw-line.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const kinds: readonly ClientKind[] = ['v2 in 2025', 'v1', 'v1.12'];
const tool = 'list_allowed_directories';
/** Of F13. */
const changes = attackScale > 1 ? 900 : 100;

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

  test('F11: forget a session that is over everywhere at once, and begin another', async () => {
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
    // Asked again, because the first answer is out of date; never answered with more than the client ever listed.
    expect(await first).toMatch(/\/(?:app|lib)$/);
    expect(client.asked()).toBe(2);
    for (let round = 0; round < 4; round += 1) expect(await client.call(tool)).toContain('/lib');
  });

  test(`F13: never meet old roots on one node after the 202 of a change on the other, ${changes} times`, async () => {
    const names = ['app', 'lib', 'docs'];
    const changeOften = async (): Promise<readonly string[]> => {
      const headers = await beginSession(cluster.balancer);
      const lines = await Promise.all(pair().map(openLine));
      const met: string[] = [];
      for (let round = 0; round < 100; round += 1) {
        const [there, here] = (round % 2 === 0 ? lines : lines.toReversed()) as [RawLine, RawLine];
        const name = names[round % 3] ?? '';
        const changed = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
        expect(await postPatiently(there, headers, changed, streamEnd)).toContain('HTTP/1.1 202');
        const asked = await postPatiently(here, headers, call(round, tool), 'roots/list', '"result"');
        // A node that took the old ones for current would not ask.
        const [, id = 'not asked'] = /"id":"([^"]+)"/.exec(asked) ?? [];
        const answer = { jsonrpc: '2.0', id, result: { roots: [cluster.root(name)] } };
        expect(await postPatiently(there, headers, answer, streamEnd)).toContain('HTTP/1.1 202');
        const [last] = (await here.read(streamEnd)).match(/\/(?:app|lib|docs)\b/g)?.slice(-1) ?? [];
        met.push(last === `/${name}` ? 'current' : `${last} for /${name}`);
      }
      for (const line of lines) line.destroy();
      return met;
    };
    const met = (await Promise.all(Array.from({ length: changes / 100 }, changeOften))).flat();
    expect(met.filter((which) => which !== 'current')).toEqual([]);
    expect(met).toHaveLength(changes);
  });

  test('F14: drop, refuse and record an answer of another session, on whichever node it comes', async () => {
    const [one, other] = pair();
    const [mine, theirs] = [await beginSession(one), await beginSession(one)];
    const { id, rest } = await askForRoots(one, mine, tool);
    const lie = { jsonrpc: '2.0', id, result: { roots: [cluster.root('docs')] } };
    for (const node of [one, other]) {
      expect((await send(node, { headers: theirs, body: lie })).status).toBe(400);
      const session = theirs['mcp-session-id'] ?? '';
      await eventually(() => expect(recorded(node, 'forged-answer', session)).toBe(1));
    }
    const truth = { jsonrpc: '2.0', id, result: { roots: [cluster.root('app')] } };
    expect((await send(other, { headers: mine, body: truth })).status).toBe(202);
    const answer = JSON.stringify((await rest.next()).value);
    expect(answer).toContain('/app');
    expect(answer).not.toContain('/docs');
  });

  test('F15: tell no client about the streams of another', async () => {
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

  test('F18: take one answer of two, and record the second, on whichever node it comes', async () => {
    const [one, other] = pair();
    const headers = await beginSession(one);
    const session = headers['mcp-session-id'] ?? '';
    const { id, rest } = await askForRoots(one, headers, tool);
    const answer = (name: string) => ({ jsonrpc: '2.0', id, result: { roots: [cluster.root(name)] } });
    expect((await send(other, { headers, body: answer('app') })).status).toBe(202);
    expect(JSON.stringify((await rest.next()).value)).toContain('/app');
    // The node that asked knows that it has its answer; another one can only pass it on.
    expect((await send(one, { headers, body: answer('lib') })).status).toBe(400);
    expect((await send(other, { headers, body: answer('docs') })).status).toBe(202);
    await eventually(() => expect(recorded(one, 'unknown-answer', session)).toBeGreaterThanOrEqual(2));
    for (const node of [one, other])
      expect((await send(node, { headers, body: call(`after ${node.port}`, tool) })).text).toContain('/app');
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
});

/** How often a node wrote down that something of that kind happened to a session. */
function recorded(node: Node, kind: string, session: string): number {
  return node
    .log()
    .split('\n')
    .filter((line) => line.includes(`"${kind}"`) && line.includes(session)).length;
}
