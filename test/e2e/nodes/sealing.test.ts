import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readSealingKeys } from '../../../src/serve/open-sessions.ts';
import { openRedisStore } from '../../../src/sessions/redis/redis-store.ts';
import { connectClient } from '../../support/http/clients.ts';
import { openEndpoint } from '../../support/http/open-endpoint.ts';
import { askForRoots, beginSession, call, send } from '../../support/http/raw.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import { type Balancer, startBalancer, type Target } from '../../support/redis/balancer.ts';
import { type Node, openCluster } from '../../support/redis/open-cluster.ts';
import { startRedis } from '../../support/redis/redis-server.ts';

// Many real processes, which a busy machine starts slowly. What is promised has bounds of its own.
vi.setConfig({ testTimeout: 90_000 });

const [old, fresh, foreign] = ['o', 'n', 'f'].map((letter) => letter.repeat(44)) as [string, string, string];

/** What two nodes have at the same time while a key is changed. */
const steps: readonly (readonly [title: string, left: string, right: string])[] = [
  ['one key', old, old],
  ['the old key, and both', old, `${old},${fresh}`],
  ['both, either one first', `${old},${fresh}`, `${fresh},${old}`],
  ['both, and the new key', `${fresh},${old}`, fresh],
];

describe('F21: nodes of 2026-07-28, each a process', () => {
  const children: ChildProcess[] = [];
  const started = new Map<string, Promise<Target>>();
  let balancer: Balancer;
  beforeAll(async () => {
    balancer = await startBalancer();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await balancer[Symbol.asyncDispose]();
  });
  const startNode = async (keys: string): Promise<Target> => {
    const program = fileURLToPath(new URL('../../support/redis/sealing-node.mjs', import.meta.url));
    const child = spawn(process.execPath, [program, `${balancer.port}`, keys], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return { port: Number(String(await once(child.stdout, 'data'))) };
  };
  /** They keep nothing but their keys, so that those with the same ones serve for several tests. */
  const setTargets = async (...keys: readonly string[]): Promise<void> => {
    const nodes = keys.map((key, index) => {
      const name = `${keys.indexOf(key) === index ? 'one' : 'another'} with ${key}`;
      const node = started.get(name) ?? startNode(key);
      started.set(name, node);
      return node;
    });
    balancer.targets.splice(0, Infinity, ...(await Promise.all(nodes)));
  };

  test.each(steps)('with %s: each ends what the other has begun', async (_title, ...keys) => {
    await setTargets(...keys);
    await using client = await connectClient('v2 in 2026', balancer);
    const before = balancer.passed.length;
    for (let round = 0; round < 2; round += 1) {
      expect(await client.call('roots')).toContain('file:///srv/app');
      // The one that was second is first the next time.
      await send(balancer, { method: 'GET', path: '/healthz' });
    }
    const calls = balancer.passed.slice(before).filter(({ method }) => method === 'tools/call');
    expect(calls).toHaveLength(4);
    expect(calls[0]?.target).toBe(calls[3]?.target);
    expect(calls[1]?.target).toBe(calls[2]?.target);
    expect(calls[0]?.target).not.toBe(calls[1]?.target);
  });

  test('control: what was sealed with a key that a node does not know is refused there', async () => {
    await setTargets(old, foreign);
    await using client = await connectClient('v2 in 2026', balancer);
    await expect(client.call('roots')).rejects.toThrow(/requestState/i);
  });
});

describe.runIf(canRun('redis-server'))(`F21: nodes of 2025${needs('redis-server')}`, () => {
  /** Asks through one node and answers through another: 202 if it arrives where it was asked for. */
  const answerOver = async (from: Target, to: Target, tool?: string): Promise<number> => {
    const headers = await beginSession(from);
    const { id, rest, socket } = await askForRoots(from, headers, tool);
    const body = { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///srv/app', name: 'app' }] } };
    const { status } = await send(to, { headers, body });
    if (status === 202) expect(JSON.stringify((await rest.next()).value)).toContain('"result"');
    socket.destroy();
    return status;
  };

  test('while the key is changed answers reach the node that asked, in both directions, and no stranger', async () => {
    await using redis = await startRedis();
    const closers: (() => Promise<void>)[] = [];
    const open = async (sealingKey: string): Promise<Target> => {
      const keys = await readSealingKeys({ sealingKey, sealingKeyFile: undefined });
      const secrets = keys.map(({ secret }) => secret);
      const sessions = await openRedisStore({ address: redis.address, secrets });
      const endpoint = await openEndpoint({ sessions });
      closers.push(
        () => endpoint.close(),
        () => sessions.close(),
      );
      return endpoint;
    };
    for (const [, left, right] of steps) {
      const [one, other] = [await open(left), await open(right)];
      expect([await answerOver(one, other), await answerOver(other, one)]).toEqual([202, 202]);
    }
    const [one, stranger] = [await open(old), await open(foreign)];
    expect(await answerOver(one, stranger)).not.toBe(202);
    const headers = await beginSession(one);
    expect((await send(one, { headers, body: call(1, 'no-such-tool') })).status).toBe(200);
    for (const close of closers) await close();
  });

  test('the same with the command, which finds both keys in its environment', async () => {
    await using cluster = await openCluster({ nodes: 0 });
    const [one, other] = await Promise.all(
      [`${old},${fresh}`, `${fresh},${old}`].map((keys) => cluster.addNode({ ROOTWARD_SEALING_KEY: keys })),
    );
    const tool = 'list_allowed_directories';
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as [Node, Node][])
      expect(await answerOver(from, to, tool)).toBe(202);
  });
});
