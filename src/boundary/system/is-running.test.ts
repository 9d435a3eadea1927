import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isRunning } from './is-running.ts';

test('this process and those of other users run, one that ended does not', () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(1)).toBe(true);
  expect(isRunning(spawnSync(process.execPath, ['--version']).pid)).toBe(false);
});

test('a number that no process can have is not running', () => {
  expect([2 ** 31, 1e20, Number.NaN, 1.5].map(isRunning)).toEqual([false, false, false, false]);
});
