import { expect, test } from 'vitest';
import { runInMemory } from '../../test/support/processes/run-in-memory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import {
  isFirst,
  isWorker,
  leavePool,
  untilDismissed,
  wantsWorkers,
  workerAddress,
} from './serve-workers.ts';

test.each([
  [undefined, false],
  [1, false],
  [2, true],
])('%s workers means other processes: %s', (workers, others) => {
  expect(wantsWorkers({ workers })).toBe(others);
});

test('a process that was not started as a worker is none', () => {
  expect(isWorker()).toBe(false);
  // And does the work that one process does for all.
  expect(isFirst()).toBe(true);
  expect(() => leavePool()).not.toThrow();
  const address = { host: '127.0.0.1', port: 0 };
  expect(workerAddress(address, { ROOTWARD_WORKER_PORT: '3917' })).toEqual(address);
});

test('a worker reacts to a signal once, and ignores the one forwarded by its parent', async () => {
  const before = process.listeners('SIGTERM');
  const dismissed = untilDismissed();
  process.emit('SIGTERM');
  await expect(dismissed).resolves.toBeUndefined();
  const [left, ...more] = process.listeners('SIGTERM').filter((each) => !before.includes(each));
  expect(more).toEqual([]);
  expect(left).toBeDefined();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    for (const each of process.listeners(signal)) if (!before.includes(each)) process.off(signal, each);
});

test.each([
  ['on stdin', ['--workers', '2'], 'one client on stdin'],
  [
    'on a socket',
    ['--workers', '2', '--http', 'unix:/tmp/rootward-never', '--sessions', 'redis://x'],
    'a port',
  ],
  ['without a place for sessions', ['--workers', '2', '--http', ':0'], '--sessions'],
])('refuses several processes %s', async (_title, argv, reason) => {
  using tree = tempTree();
  const result = await runInMemory(tree.path, ['serve', ...argv], { ROOTWARD_HOME: tree.at('home') });
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
});
