import { readdirSync, readlinkSync } from 'node:fs';

/** What this process holds open at or beneath a path, on Linux; elsewhere nothing is known. */
export function openHandles(path: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter((target) => target === path || target.startsWith(`${path}/`));
}

function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // The descriptor that listed the others is gone by now.
    return '';
  }
}
