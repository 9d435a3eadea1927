import type { Directory, Driver, EntryName } from '../system/driver.ts';
import { isErrno, refusal } from '../system/errno.ts';
import type { BoundaryContext, InnerRoots, BoundaryRequest } from './context.ts';

/**
 * Refuses to rename, remove or replace an entry that is another root or holds one, however it was spelled.
 * Writing into a file that is a root is allowed: the file stays where it is.
 *
 * @throws {RootwardError} `HOLDS_ROOT`
 */
export function refuseInner(
  { inner, driver }: BoundaryContext,
  request: BoundaryRequest,
  entry: Entry,
): void {
  if (inner === undefined) return;
  const found = lookAt(driver, entry);
  if (found === undefined) return;
  const isRoot = found.isDirectory
    ? inner.directories.has(found.identity)
    : isRootFile(inner, driver, entry.parent, found.identity);
  if (isRoot) throw refusal('HOLDS_ROOT', request);
}

/** Like `refuseInner`, for a directory that is held. */
export function refuseInnerDirectory(
  { inner, driver }: BoundaryContext,
  request: BoundaryRequest,
  directory: Directory,
): void {
  if (inner?.directories.has(driver.identityOf(directory)) === true) throw refusal('HOLDS_ROOT', request);
}

interface Entry {
  readonly parent: Directory;
  readonly name: EntryName;
}

/** A second name of the file in another directory is not the root. */
function isRootFile({ files }: InnerRoots, driver: Driver, parent: Directory, identity: string): boolean {
  if (files.size === 0) return false;
  const names = [...(files.get(driver.identityOf(parent)) ?? [])];
  return names.some((name) => lookAt(driver, { parent, name })?.identity === identity);
}

interface EntryLook {
  readonly identity: string;
  readonly isDirectory: boolean;
}

function lookAt(driver: Driver, { parent, name }: Entry): EntryLook | undefined {
  try {
    const pinned = driver.pin(parent, name);
    try {
      return { identity: driver.identityOf(pinned), isDirectory: pinned.stats.isDirectory() };
    } finally {
      driver.close(pinned);
    }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
