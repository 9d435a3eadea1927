import cluster from 'node:cluster';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { closeOrphans, Crew, type CrewTimes, endWord } from './crew.ts';

const listens = `
import { createServer } from 'node:net';
process.on('message', (word) => word === ${JSON.stringify(endWord)} && process.exit(0));
createServer().listen(0, '127.0.0.1');`;

const quick: Partial<CrewTimes> = { shortestPause: 10, longestPause: 40, start: 10_000 };

describe('a crew', () => {
  const tree = tempTree();
  afterAll(() => tree[Symbol.dispose]());
  const said: string[] = [];
  const hire = (program: string, times: Partial<CrewTimes> = quick): Crew => {
    tree.add(`worker.mjs = ${program}`);
    cluster.setupPrimary({ exec: tree.at('worker.mjs'), execArgv: [], silent: true });
    return new Crew({ environment: {}, say: (line) => said.push(line), times });
  };
  const pids = (): readonly (number | undefined)[] =>
    Object.values(cluster.workers ?? {}).map((worker) => worker?.process.pid);
  afterEach(() => void said.splice(0));

  test('has that many processes, and none after its end', async () => {
    const crew = hire(listens);
    await crew.start(2);
    expect(pids()).toHaveLength(2);
    await crew.end();
    expect(pids()).toEqual([]);
    expect(said).toEqual([]);
  });

  test('does not start where one cannot', async () => {
    const crew = hire('process.exit(3);');
    await expect(crew.start(2)).rejects.toThrow('one of them could not start');
    expect(pids()).toEqual([]);
  });

  test('does not wait for ever for one that never listens', async () => {
    const crew = hire('setInterval(() => {}, 1_000);', { ...quick, start: 500 });
    await expect(crew.start(2)).rejects.toThrow('one of them could not start');
    expect(pids()).toEqual([]);
  });

  test('replaces all that are lost, and waits longer each time for those that do not last', async () => {
    const crew = hire(listens);
    await crew.start(2);
    const before = pids();
    hire('process.exit(4);');
    for (const pid of before) process.kill(pid ?? 0, 'SIGKILL');
    const pauses = ['0.01 s', '0.02 s', '0.04 s', '0.04 s'];
    await vi.waitFor(() => expect(said.length).toBeGreaterThanOrEqual(4), { timeout: 15_000 });
    expect(said.slice(0, 4).map((line) => /in (.*)$/.exec(line)?.[1])).toEqual(pauses);
    hire(listens);
    await vi.waitFor(() => expect(pids()).toHaveLength(2), { timeout: 15_000 });
    await crew.end();
    expect(pids()).toEqual([]);
  });

  test('ends one that does not want to', async () => {
    const crew = hire(listens.replace('process.exit(0)', 'false'), { ...quick, end: 300 });
    await crew.start(1);
    await crew.end();
    expect(pids()).toEqual([]);
  });
});

const program = `
import { createServer } from 'node:net';
createServer((socket) => socket.end('served')).listen(0, '127.0.0.1');`;

test('a connection that reaches nobody is closed with the process that was to get it, and no other', async () => {
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
  const closed = once(orphan, 'close', { signal: AbortSignal.timeout(10_000) });
  orphan.resume();
  worker.process.kill('SIGKILL');
  await gone;
  await expect(closed).resolves.toBeDefined();
});
