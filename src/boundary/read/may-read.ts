import type { Guard } from '../step/context.ts';

/**
 * Whether the guard lets a file be read, asked about every name on the way to it as if it were stepped through: for
 * those who hold its directory already. The path has real names only.
 */
export function mayRead(guard: Guard | undefined, relative: string): boolean {
  if (guard === undefined) return true;
  return mayPass(guard, relative) && guard('read', relative, true) === undefined;
}

/** Whether the guard lets one pass through the directories above a file. */
export function mayPass(guard: Guard | undefined, relative: string): boolean {
  for (let end = relative.indexOf('/'); end !== -1; end = relative.indexOf('/', end + 1)) {
    if (guard?.('read', relative.slice(0, end), false) !== undefined) return false;
  }
  return true;
}
