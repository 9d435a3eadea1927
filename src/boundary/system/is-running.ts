import { isErrno } from './errno.ts';

/**
 * Whether this machine runs a process of that number. A process of another user counts as running; a number that no
 * process can have does not.
 */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isErrno(error) && !(error instanceof TypeError) && error.code !== 'ESRCH';
  }
}
