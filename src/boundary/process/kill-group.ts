import { spawn } from 'node:child_process';
import { isErrno } from '../system/errno.ts';

/**
 * Kills a program that leads a group of its own, with everything in the group: a shell's children hold its
 * pipes open, and would go on without it. Who left the group is not in it.
 */
export function killGroup(pid: number): void {
  if (process.platform === 'win32') return killTree(pid);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isErrno(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** Windows has no groups; the system's own program knows who started whom. */
function killTree(pid: number): void {
  const root = process.env['SystemRoot'] ?? 'C:\\Windows';
  const child = spawn(`${root}\\System32\\taskkill.exe`, ['/pid', String(pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => undefined);
}
