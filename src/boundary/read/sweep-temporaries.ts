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
import { isTemporaryName, writerOf } from './temporary-name.ts';

/** In a directory with more entries than this, what a crash left is not looked for. */
const mostEntries = 20_000;

/** Who has not written for so long is not writing any more, wherever they are. Milliseconds. */
const abandoned = 3_600_000;

/** Looks take at most one part in so many of the time. */
const share = 50;

/** What somebody left while we were writing ourselves is found after so long, too. Milliseconds. */
const longest = 60_000;

/**
 * Removes what killed processes of ours left in a directory, before something is written there. A kill in the
 * middle of a write cannot be noticed by who is killed; whoever comes next notices it. A directory that nobody
 * else has changed since the last look is not looked through again. Says whether nothing is left there.
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

/** Notes that it was us who changed a directory. */
export function keepSwept({ driver, swept }: BoundaryContext, directory: Directory): void {
  if (swept === undefined) return;
  const stats = look(driver, directory);
  const last = swept.get(identityIn(stats));
  if (last !== undefined) swept.set(identityIn(stats), { ...last, changed: stats.mtimeNs });
}

/**
 * Whether an entry is a write that has not ended: nobody's business in a list. What a killed process left is
 * removed, where somebody who lists may write.
 */
export function isUnfinished(context: BoundaryContext, listed: ListedIn, entry: Dirent): boolean {
  if (!isTemporaryName(entry.name) || !entry.isFile()) return false;
  const { driver, guard, swept } = context;
  // Who has no rules only looks: a search for a project goes through directories that nobody granted.
  const mayWrite = guard !== undefined && guard('write', listed.prefix + entry.name, true) === undefined;
  if (swept !== undefined && mayWrite)
    quietly(() => removeIfDead(driver, listed.directory, { name: entry.name }));
  return true;
}

/** A directory that is listed. */
export interface ListedIn {
  readonly directory: Directory;
  /** Of the directory, with a slash at the end; empty for the root. */
  readonly prefix: string;
}

function look(driver: Driver, directory: Directory): BigIntStats {
  return statSync(driver.self(directory), { bigint: true });
}

/** What cannot be listed can still be written to, and what cannot be removed does no harm. */
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
 * Removes one file, if whoever wrote it cannot be writing any more; says whether it is gone. Numbers of processes
 * are given away again, in a container the same one every time: what bears ours and was last written `before` we
 * began is not ours.
 */
export function removeIfDead(
  driver: Driver,
  directory: Directory,
  { name, before = 0 }: { readonly name: string; readonly before?: number },
): boolean {
  const path = driver.at(directory, name);
  const { mtimeMs } = lstatSync(path);
  const pid = writerOf(name)?.pid;
  const dead = pid === process.pid ? mtimeMs < before : isOver(pid, mtimeMs);
  if (dead) unlinkSync(path);
  return dead;
}

function isOver(pid: number | undefined, written: number): boolean {
  return pid === undefined ? Date.now() - written > abandoned : !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !isErrno(error, 'ESRCH');
  }
}
