import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Where what is measured runs, and where everything else does. */
const cores = { measured: '0', others: '1' } as const;

/**
 * Gives a process one core, where there are two and `taskset`: who calls must not take time from who is called.
 * Elsewhere nothing happens.
 */
export function pinProcess(pid: number, place: keyof typeof cores): void {
  if (availableParallelism() !== 2) return;
  spawnSync('taskset', ['-a', '-cp', cores[place], `${pid}`], { stdio: 'ignore' });
}
