import { constants, type Stats } from 'node:fs';
import { RootwardError } from '../../errors.ts';
import type { PinnedEntry } from '../system/driver.ts';
import { refusal } from '../system/errno.ts';
import { kindOf } from '../system/file-info.ts';
import { askWitness, type BoundaryContext, type BoundaryRequest } from './context.ts';
import { type LastStep, LinkFound, readLink, resolve } from './resolve.ts';

/** A regular file, open for reading. The caller closes the descriptor. */
export interface OpenFile {
  readonly fd: number;
  readonly stats: Stats;
}

/** Opens a file that was checked: the inode itself, not the name. */
export function openFile(context: BoundaryContext, request: BoundaryRequest): OpenFile {
  const { driver } = context;
  return resolve(context, request, (step) => {
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    try {
      requireRegular(context, request, pinned);
      return { fd: driver.reopen(pinned, constants.O_RDONLY), stats: pinned.stats };
    } finally {
      driver.close(pinned);
    }
  });
}

/** How often a name may change between two checks before the operation fails. */
const looks = 32;

/** Holds the entry of the last name; returns a link so that it is followed. The caller closes the result. */
export function pinLast(
  context: BoundaryContext,
  request: BoundaryRequest,
  step: LastStep,
): PinnedEntry | LinkFound {
  const { driver } = context;
  for (let look = 0; look < looks; look += 1) {
    const pinned = driver.pin(step.parent, step.name);
    if (!pinned.stats.isSymbolicLink()) return checkPinned(context, request, step, pinned);
    driver.close(pinned);
    const link = readLink(driver, step.parent, step.name);
    if (link !== undefined) return link;
  }
  throw refusal('BUSY', request);
}

/**
 * Checks the mount, because a file can be a mount point too, and that a path spelled as a directory leads to
 * one.
 */
function checkPinned(
  context: BoundaryContext,
  request: BoundaryRequest,
  step: LastStep,
  pinned: PinnedEntry,
): PinnedEntry {
  const { driver, mount } = context;
  try {
    if (mount !== undefined && driver.mountOf(pinned) !== mount) throw refusal('OTHER_MOUNT', request);
    if (step.directory && !pinned.stats.isDirectory()) throw refusal('NOT_A_DIRECTORY', request);
    askWitness(context, request, step.relative);
    return pinned;
  } catch (error) {
    driver.close(pinned);
    throw error;
  }
}

/** Refuses an entry that is not a regular file, before it is opened. */
export function requireRegular(
  context: BoundaryContext,
  request: BoundaryRequest,
  { stats }: PinnedEntry,
): void {
  if (stats.isDirectory()) throw refusal('IS_A_DIRECTORY', request);
  if (!stats.isFile()) {
    const { verb, path } = request;
    throw new RootwardError('SPECIAL_FILE', { verb, path, kind: kindOf(stats) });
  }
  refuseKept(context, request, stats);
  if (stats.nlink > 1 && context.hardLinks === 'refuse') throw refusal('HARD_LINK', request);
}

/**
 * Refuses one of Rootward's own files, under any name.
 *
 * @throws {RootwardError} `DENIED`
 */
function refuseKept(context: BoundaryContext, request: BoundaryRequest, stats: Stats): void {
  const { kept, name: root } = context;
  if (kept === undefined || kept.files.size === 0 || !kept.files.has(keptIdentity(stats))) return;
  const { operation, path } = request;
  const reason = 'it is a file of this server, by another name';
  throw new RootwardError('DENIED', { operation, path, root, rule: 'refused', reason });
}

/** Numbers above 2^53 are rounded: two files may share an identity, but one file never has two. */
export function keptIdentity({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
