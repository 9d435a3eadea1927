import cluster from 'node:cluster';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { closeOrphans, WorkerPool, type PoolTimes, endWord } from './worker-pool.ts';

const listens = `
import { createServer } from 'node:net';
process.on('message', (word) => word === ${JSON.stringify(endWord)} && process.exit(0));
createServer().listen(0, '127.0.0.1');`;

const quick: Partial<PoolTimes> = { shortestPause: 10, longestPause: 40, start: 10_000 };

describe('a pool', () => {
  const tree = tempTree();
  afterAll(() => tree[Symbol.dispose]());
  const said: string[] = [];
  const startPool = (program: string, times: Partial<PoolTimes> = quick): WorkerPool => {
    tree.add(`worker.mjs = ${program}`);
    cluster.setupPrimary({ exec: tree.at('worker.mjs'), execArgv: [], silent: true });
    return new WorkerPool({ environment: {}, print: (line) => said.push(line), times });
  };
  const pids = (): readonly (number | undefined)[] =>
    Object.values(cluster.workers ?? {}).map((worker) => worker?.process.pid);
  afterEach(() => void said.splice(0));

  test('has the given number of processes, and none after closing', async () => {
    const pool = startPool(listens);
    await pool.start(2);
    expect(pids()).toHaveLength(2);
    await pool.end();
    expect(pids()).toEqual([]);
    expect(said).toEqual([]);
  });

  test('does not start if one of them cannot', async () => {
    const pool = startPool('process.exit(3);');
    await expect(pool.start(2)).rejects.toThrow('one of them could not start');
    expect(pids()).toEqual([]);
  });

  test('does not wait for ever for a process that never listens', async () => {
    const pool = startPool('setInterval(() => {}, 1_000);', { ...quick, start: 500 });
    await expect(pool.start(2)).rejects.toThrow('one of them could not start');
    expect(pids()).toEqual([]);
  });

  test('replaces lost processes, with growing delays for those that die early', async () => {
    const pool = startPool(listens);
    await pool.start(2);
    const before = pids();
    startPool('process.exit(4);');
    for (const pid of before) process.kill(pid ?? 0, 'SIGKILL');
    const pauses = ['0.01 s', '0.02 s', '0.04 s', '0.04 s'];
    await vi.waitFor(() => expect(said.length).toBeGreaterThanOrEqual(4), { timeout: 15_000 });
    expect(said.slice(0, 4).map((line) => /in (.*)$/.exec(line)?.[1])).toEqual(pauses);
    startPool(listens);
    await vi.waitFor(() => expect(pids()).toHaveLength(2), { timeout: 15_000 });
    await pool.end();
    expect(pids()).toEqual([]);
  });

  test('kills a process that does not end', async () => {
    const pool = startPool(listens.replace('process.exit(0)', 'false'), { ...quick, end: 300 });
    await pool.start(1);
    await pool.end();
    expect(pids()).toEqual([]);
  });
});

const program = `
import { createServer } from 'node:net';
createServer((socket) => socket.end('served')).listen(0, '127.0.0.1');`;

test('closes a connection whose process died before it got it, and no other', async () => {
  using tree = tempTree([`worker.mjs = ${program}`]);
  cluster.setupPrimary({ exec: tree.at('worker.mjs'), execArgv: [] });
  const worker = cluster.fork();
  closeOrphans(worker);
  const gone = once(worker, 'exit');
  const [{ port }] = await once(worker, 'listening');
  const served = connect(port, '127.0.0.1');
  expect(String(await once(served, 'data'))).toBe('served');
  worker.process.kill('SIGSTOP');
  const orphan = connect(port, '127.0.0.1');
  orphan.on('error', () => {});
  await once(orphan, 'connect');
  const closed = once(orphan, 'close', { signal: AbortSignal.timeout(30_000) });
  orphan.resume();
  worker.process.kill('SIGKILL');
  await gone;
  await expect(closed).resolves.toBeDefined();
});
