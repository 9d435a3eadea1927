import {
  type BigIntStats,
  type Dir,
  type Dirent,
  lstatSync,
  opendirSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import type { BoundaryContext } from '../step/context.ts';
import type { Directory, Driver } from '../system/driver.ts';
import { isErrno } from '../system/errno.ts';
import { identityIn } from '../system/file-info.ts';
import { isRunning } from '../system/is-running.ts';
import { isTemporaryName, writerOf } from './temporary-name.ts';

/** Directories with more entries than this are not searched for leftovers. */
const mostEntries = 20_000;

/** Milliseconds after which a temporary file of another machine counts as abandoned. */
const abandoned = 3_600_000;

/** Searches take at most this fraction of the time. */
const share = 50;

/**
 * Milliseconds after which a directory is searched again, even if only this process seems to have changed it.
 */
const longest = 60_000;

/**
 * Removes temporary files that killed Rootward processes left in a directory, before something is written
 * there. A killed process cannot clean up, so the next writer does. Skips a directory that no other process
 * has changed since the last search. Returns whether no leftovers remain.
 */
export function sweepTemporaries({ driver, swept }: BoundaryContext, directory: Directory): boolean {
  if (swept === undefined) return false;
  const stats = look(driver, directory);
  const last = swept.get(identityIn(stats));
  const started = performance.now();
  if (last !== undefined && started - last.at < longest && last.changed === stats.mtimeNs) return true;
  if (last !== undefined && started - last.at < last.took * share) return false;
  quietly(() => {
    for (const name of leftNames(driver, directory)) removeIfDead(driver, directory, { name });
  });
  const at = performance.now();
  swept.set(identityIn(stats), { changed: stats.mtimeNs, at, took: at - started });
  return true;
}

/** Records that this process itself changed a directory. */
export function keepSwept({ driver, swept }: BoundaryContext, directory: Directory): void {
  if (swept === undefined) return;
  const stats = look(driver, directory);
  const last = swept.get(identityIn(stats));
  if (last !== undefined) swept.set(identityIn(stats), { ...last, changed: stats.mtimeNs });
}

/**
 * Whether an entry is an unfinished write, which listings leave out. Removes it if its process is dead and
 * the lister may write there.
 */
export function isUnfinished(context: BoundaryContext, listed: ListedIn, entry: Dirent): boolean {
  if (!isTemporaryName(entry.name) || !entry.isFile()) return false;
  const { driver, guard, swept } = context;
  // A boundary without rules only reads: project detection walks directories that were not granted.
  const mayWrite = guard !== undefined && guard('write', listed.prefix + entry.name, true) === undefined;
  if (swept !== undefined && mayWrite)
    quietly(() => removeIfDead(driver, listed.directory, { name: entry.name }));
  return true;
}

/** A directory that is being listed. */
export interface ListedIn {
  readonly directory: Directory;
  /** Path of the directory, with a slash at the end; empty for the root. */
  readonly prefix: string;
}

function look(driver: Driver, directory: Directory): BigIntStats {
  return statSync(driver.self(directory), { bigint: true });
}

/**
 * Ignores failures: a directory that cannot be listed can still be written to, and a leftover does no harm.
 */
function quietly(act: () => void): void {
  try {
    act();
  } catch (error) {
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
      if (entry.isFile() && isTemporaryName(entry.name)) names.push(entry.name);
    }
    return [];
  } finally {
    listing.closeSync();
  }
}

/**
 * Removes a temporary file if its writer is no longer running; returns whether it is gone. Process ids are
 * reused, in a container always the same ones: a file with our id that was last written `before` this process
 * began is a leftover.
 */
export function removeIfDead(
  driver: Driver,
  directory: Directory,
  { name, before = 0 }: { readonly name: string; readonly before?: number },
): boolean {
  const path = driver.at(directory, name);
  const { mtimeMs } = lstatSync(path);
  const pid = writerOf(name)?.pid;
  const dead = pid === process.pid ? mtimeMs < before : isWriterGone(pid, mtimeMs);
  if (dead) unlinkSync(path);
  return dead;
}

function isWriterGone(pid: number | undefined, written: number): boolean {
  return pid === undefined ? Date.now() - written > abandoned : !isRunning(pid);
}
