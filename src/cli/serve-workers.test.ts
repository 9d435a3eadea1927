import { expect, test } from 'vitest';
import { runInMemory } from '../../test/run-in-memory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { isWorker, leaveCrew, wantsWorkers } from './serve-workers.ts';

test.each([
  [undefined, false],
  [1, false],
  [2, true],
])('%s workers are others: %s', (workers, others) => {
  expect(wantsWorkers({ workers })).toBe(others);
});

test('who was not started as one of several is none of them', () => {
  expect(isWorker()).toBe(false);
  expect(() => leaveCrew()).not.toThrow();
});

test.each([
  ['on stdin', ['--workers', '2'], 'one client on stdin'],
  ['without a place for sessions', ['--workers', '2', '--http', ':0'], '--sessions'],
])('several processes %s are refused', async (_title, argv, reason) => {
  using tree = tempTree();
  const result = await runInMemory(tree.path, ['serve', ...argv], { ROOTWARD_HOME: tree.at('home') });
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
});
