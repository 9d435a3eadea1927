import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** How many descriptors this process has open. Linux only. */
export function countDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

/** How many directories this process watches. All watches of a process share one descriptor. Linux only. */
export function countWatches(): number {
  return readdirSync('/proc/self/fd')
    .filter((fd) => leadsTo(fd).includes('inotify'))
    .flatMap((fd) => readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('\n'))
    .filter((line) => line.startsWith('inotify ')).length;
}

/** The one that was used to read the list is gone. */
function leadsTo(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}
