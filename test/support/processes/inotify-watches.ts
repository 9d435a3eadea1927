import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** How many directories this process watches, on Linux; elsewhere nothing is known. */
export function inotifyWatches(): number {
  if (process.platform !== 'linux') return 0;
  return readdirSync('/proc/self/fd').reduce((sum, fd) => sum + watchesOf(fd), 0);
}

function watchesOf(fd: string): number {
  try {
    if (readlinkSync(`/proc/self/fd/${fd}`) !== 'anon_inode:inotify') return 0;
    return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/^inotify /gm)?.length ?? 0;
  } catch {
    // The descriptor that listed the others is gone by now.
    return 0;
  }
}
