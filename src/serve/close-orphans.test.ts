import cluster from 'node:cluster';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { closeOrphans } from './close-orphans.ts';

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
