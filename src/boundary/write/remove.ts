import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type BoundaryContext, type BoundaryRequest, askWitness } from '../step/context.ts';
import { refuseInner, refuseInnerDirectory } from '../step/inner-roots.ts';
import { resolve } from '../step/resolve.ts';
import type { Directory, Driver, EntryName } from '../system/driver.ts';
import { createEntryReader } from '../system/entry-reader.ts';
import { errnoError, isErrno, refusal, translate } from '../system/errno.ts';
import { refuseWithin } from './refuse-within.ts';

export interface RemoveOptions {
  /** Removes a directory with its content. */
  readonly tree?: boolean;
  readonly signal?: AbortSignal;
  /** Called with the number of entries of a tree removed so far. */
  readonly onProgress?: (removed: number) => void;
}

/** Removes a file, a link (never its target), an empty directory, or a whole tree. */
export async function remove(
  context: BoundaryContext,
  path: string,
  options: RemoveOptions = {},
): Promise<void> {
  const { tree = false, signal, onProgress } = options;
  const request: BoundaryRequest = { operation: 'remove', verb: 'remove', path };
  if (tree) await refuseWithin(context, request, [], signal);
  const held = removeLast(context, request, tree);
  if (held === undefined) return;
  const { driver } = context;
  try {
    let count = 0;
    const { relative } = held;
    const removed = (more: number): void => {
      context.witness?.afterEffect({ kind: 'removed', relative, count: more });
      onProgress?.((count += more));
    };
    await removeTree({ context, request, relative, signal, removed, depth: 0 }, held.parent, held.name);
  } catch (error) {
    throw translate(error, request);
  } finally {
    driver.close(held.parent);
  }
}

interface HeldEntry {
  readonly parent: Directory;
  readonly name: string;
  readonly relative: string;
}

/**
 * Removes an entry that a single call can remove; returns a directory that is to be removed with its content.
 */
function removeLast(
  context: BoundaryContext,
  request: BoundaryRequest,
  tree: boolean,
): HeldEntry | undefined {
  const { driver } = context;
  return resolve(context, request, (step) => {
    if (step.name === '.' || context.only !== undefined) throw refusal('IS_ROOT', request);
    const pinned = driver.pin(step.parent, step.name);
    driver.close(pinned);
    const isDirectory = pinned.stats.isDirectory();
    if (step.directory && !isDirectory) throw refusal('NOT_A_DIRECTORY', request);
    refuseInner(context, request, step);
    askWitness(context, request, step.relative);
    const { name, relative } = step;
    if (tree && isDirectory) return { parent: driver.duplicate(step.parent), name, relative };
    if (isDirectory) rmdirSync(driver.at(step.parent, name));
    else unlinkSync(driver.at(step.parent, name));
    context.witness?.afterEffect({ kind: 'removed', relative });
    return undefined;
  });
}

/** Deeper than real trees, and a bounded number of descriptors. */
const deepest = 512;

interface Removal {
  readonly context: BoundaryContext;
  readonly request: BoundaryRequest;
  /** Real path of the whole tree from the root. */
  readonly relative: string;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of further entries removed. */
  readonly removed: (more: number) => void;
  readonly depth: number;
}

async function removeTree(removal: Removal, parent: Directory, name: EntryName): Promise<void> {
  const { context, request, relative, signal, depth } = removal;
  const { driver, mount } = context;
  signal?.throwIfAborted();
  askWitness(context, request, relative);
  if (depth > deepest) throw errnoError('ENAMETOOLONG');
  const directory = driver.enter(parent, name);
  try {
    if (mount !== undefined && driver.mountOf(directory) !== mount) throw refusal('OTHER_MOUNT', request);
    refuseInnerDirectory(context, request, directory);
    await unlinkInParts(removal, directory);
    // As bytes, because names that are not UTF-8 must be removed too.
    const entries = readdirSync(driver.self(directory), { withFileTypes: true, encoding: 'buffer' });
    for (const entry of entries) {
      if (!entry.isDirectory() && unlinkQuietly(driver, directory, entry.name)) removal.removed(1);
      else await removeTree({ ...removal, depth: depth + 1 }, directory, entry.name);
    }
  } finally {
    driver.close(directory);
  }
  rmdirSync(driver.at(parent, name));
  removal.removed(1);
}

/**
 * Removes most files of a directory in parts, so that a million files do not block the process. Entries that
 * the system skips remain for the end.
 */
async function unlinkInParts({ context, signal, removed }: Removal, directory: Directory): Promise<void> {
  const { driver } = context;
  const reader = createEntryReader(driver, directory);
  try {
    for (let part = reader.next(); part !== undefined; part = reader.next()) {
      const files = part.filter((entry) => !entry.isDirectory());
      const gone = files.filter(({ name }) => unlinkQuietly(driver, directory, name));
      if (gone.length > 0) removed(gone.length);
      await setImmediate();
      signal?.throwIfAborted();
    }
  } finally {
    reader.close();
  }
}

/** Whether the entry is gone. `false` if it has become a directory since it was listed. */
function unlinkQuietly(driver: Driver, parent: Directory, name: EntryName): boolean {
  try {
    unlinkSync(driver.at(parent, name));
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return true;
    // macOS reports EPERM for a directory; every system reports it for a protected file.
    if (isErrno(error, 'EISDIR') || (isErrno(error, 'EPERM') && isDirectory(driver, parent, name)))
      return false;
    throw error;
  }
}

function isDirectory(driver: Driver, parent: Directory, name: EntryName): boolean {
  const pinned = driver.pin(parent, name);
  driver.close(pinned);
  return pinned.stats.isDirectory();
}
