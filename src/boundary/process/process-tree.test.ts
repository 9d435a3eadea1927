import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { measureTree } from './process-tree.ts';

test.runIf(process.platform === 'linux')('counts a process with its children, and their memory', async () => {
  const child = spawn('bash', ['-c', 'sleep 600 & sleep 600 & echo on; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  try {
    const use = measureTree(pid);
    expect(use?.processes).toBe(3);
    expect(use?.bytes).toBeGreaterThan(100_000);
    expect(measureTree(process.pid)?.bytes).toBeGreaterThan(10_000_000);
  } finally {
    process.kill(-pid, 'SIGKILL');
  }
});

test.runIf(process.platform === 'linux')('one that has ended uses nothing', async () => {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  expect(measureTree(child.pid ?? 0)?.bytes).toBe(0);
});
