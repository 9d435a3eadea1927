import { existsSync } from 'node:fs';
import { afterAll, beforeAll, vi } from 'vitest';

/**
 * Has the trees of a file made in memory, where the system offers that: a table of thousands of cells makes
 * as many trees, and a disk is ten times as slow. Other files keep to the disk.
 */
export function keepTreesInMemory(): void {
  beforeAll(() => {
    if (existsSync('/dev/shm')) vi.stubEnv('TMPDIR', '/dev/shm');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });
}
