import { type Dir, lstatSync, opendirSync, statSync, unlinkSync } from 'node:fs';
import type { BoundaryContext } from './context.ts';
import type { Directory, Driver } from './driver.ts';
import { isErrno } from './errno.ts';
import { writerOf } from './temporary-name.ts';

/** In a directory with more entries than this, what a crash left is not looked for. */
const mostEntries = 20_000;

/** Who has not written for so long is not writing any more, wherever they are. Milliseconds. */
const abandoned = 3_600_000;

/**
 * Removes what killed processes of ours left in a directory, before something is written there: once for each
 * directory of a boundary. A kill in the middle of a write cannot be noticed by who is killed; the next write
 * notices it.
 */
export function sweepTemporaries({ driver, swept }: BoundaryContext, directory: Directory): void {
  if (swept === undefined) return;
  const { dev, ino } = statSync(driver.self(directory), { bigint: true });
  const identity = `${dev}:${ino}`;
  if (swept.has(identity)) return;
  swept.add(identity);
  try {
    for (const name of leftNames(driver, directory)) removeIfDead(driver, directory, name);
  } catch (error) {
    // What cannot be listed can still be written to, and what cannot be removed does no harm.
    if (!isErrno(error, 'EACCES', 'EPERM', 'ENOENT', 'EROFS', 'EBUSY')) throw error;
  }
}

function leftNames(driver: Driver, directory: Directory): readonly string[] {
  const names: string[] = [];
  const listing: Dir = opendirSync(driver.self(directory));
  try {
    for (let count = 0; count < mostEntries; count += 1) {
      const entry = listing.readSync();
      if (entry === null) return names;
      if (entry.isFile() && writerOf(entry.name) !== undefined) names.push(entry.name);
    }
    return [];
  } finally {
    listing.closeSync();
  }
}

function removeIfDead(driver: Driver, directory: Directory, name: string): void {
  const path = driver.at(directory, name);
  const { mtimeMs } = lstatSync(path);
  const pid = writerOf(name)?.pid;
  if (pid === process.pid) return;
  const dead = pid === undefined ? Date.now() - mtimeMs > abandoned : !isAlive(pid);
  if (dead) unlinkSync(path);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !isErrno(error, 'ESRCH');
  }
}
