import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connectClient } from '../http/clients.ts';
import { askForRoots, beginSession, call, send } from '../http/raw.ts';
import { canRun, needs } from '../system-programs.ts';
import { startBalancer, type Target } from './balancer.ts';
import { openCluster } from './open-cluster.ts';

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
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  const startNode = async (front: number, keys: string): Promise<Target> => {
    const program = fileURLToPath(new URL('sealing-node.mjs', import.meta.url));
    const child = spawn(process.execPath, [program, `${front}`, keys], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return { port: Number(String(await once(child.stdout, 'data'))) };
  };

  test.each(steps)('with %s: each ends what the other has begun', async (_title, ...keys) => {
    await using balancer = await startBalancer();
    balancer.targets.push(...(await Promise.all(keys.map((key) => startNode(balancer.port, key)))));
    await using client = await connectClient('v2 in 2026', balancer);
    const before = balancer.passed.length;
    for (let round = 0; round < 2; round += 1) {
      expect(await client.call('roots')).toContain('file:///srv/app');
      // Whoever was second is first the next time.
      await send(balancer, { method: 'GET', path: '/healthz' });
    }
    const calls = balancer.passed.slice(before).filter(({ method }) => method === 'tools/call');
    expect(calls).toHaveLength(4);
    expect(calls[0]?.target).toBe(calls[3]?.target);
    expect(calls[1]?.target).toBe(calls[2]?.target);
    expect(calls[0]?.target).not.toBe(calls[1]?.target);
  });

  test('control: what was sealed with a key that a node does not know is refused there', async () => {
    await using balancer = await startBalancer();
    for (const keys of [old, foreign]) balancer.targets.push(await startNode(balancer.port, keys));
    await using client = await connectClient('v2 in 2026', balancer);
    await expect(client.call('roots')).rejects.toThrow(/requestState/i);
  });
});

describe.runIf(canRun('redis-server'))(`F21: nodes of 2025${needs('redis-server')}`, () => {
  test('while the key is changed answers reach the node that asked, in both directions, and no stranger', async () => {
    await using cluster = await openCluster({ nodes: 0 });
    const started = new Map<string, Promise<Target>>();
    const nodeWith = (keys: string, which: string): Promise<Target> => {
      const found = started.get(`${keys} ${which}`) ?? cluster.addNode({ ROOTWARD_SEALING_KEY: keys });
      started.set(`${keys} ${which}`, found);
      return found;
    };
    const answerOver = async (from: Target, to: Target): Promise<number> => {
      const headers = await beginSession(from);
      const { id, rest, socket } = await askForRoots(from, headers, 'list_allowed_directories');
      const body = { jsonrpc: '2.0', id, result: { roots: [cluster.root('app')] } };
      const { status } = await send(to, { headers, body });
      if (status === 202) expect(JSON.stringify((await rest.next()).value)).toContain('/app');
      socket.destroy();
      return status;
    };
    for (const [, left, right] of steps) {
      const [one, other] = await Promise.all([nodeWith(left, 'one'), nodeWith(right, 'other')]);
      expect([await answerOver(one, other), await answerOver(other, one)]).toEqual([202, 202]);
    }
    const [one, stranger] = await Promise.all([nodeWith(old, 'one'), nodeWith(foreign, 'other')]);
    expect(await answerOver(one, stranger)).not.toBe(202);
    const headers = await beginSession(one);
    expect((await send(one, { headers, body: call(1, 'no-such-tool') })).status).toBe(200);
  });
});
