import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { killGroup } from './kill-group.ts';

test.runIf(process.platform !== 'win32')('kills a program and what it started', async () => {
  const child = spawn('bash', ['-c', 'sleep 98768 & echo on; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await once(child.stdout, 'data');
  child.stdout.resume();
  killGroup(child.pid ?? 0);
  // The pipe closes when the last of them has gone.
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  expect(() => killGroup(child.pid ?? 0)).not.toThrow();
});
