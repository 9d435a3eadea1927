import { lstatSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Turns } from '../../base/turns.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { pinLast } from '../step/open-file.ts';
import { type LastStep, LinkFound, resolve } from '../step/resolve.ts';
import type { Directory, EntryName } from '../system/driver.ts';
import { createEntryReader } from '../system/entry-reader.ts';
import { refusal, translate } from '../system/errno.ts';
import { type EntryKind, kindOf } from '../system/file-info.ts';
import { isUnfinished, type ListedIn } from './sweep-temporaries.ts';

export interface ListedEntry {
  readonly name: string;
  readonly kind: EntryKind;
  /** In bytes, if sizes were wanted: of everything but links, whose targets the directory does not know. */
  readonly size?: number;
}

export interface Listing {
  /** Sorted by name. */
  readonly entries: readonly ListedEntry[];
  /** The directory has more entries than the limit. */
  readonly truncated: boolean;
}

export interface ListOptions {
  readonly limit?: number;
  readonly sizes?: boolean;
  readonly signal?: AbortSignal;
}

/** Lists the entries of a directory, links as links. Leaves out entries that the guard refuses. */
export async function list(
  context: BoundaryContext,
  path: string,
  options: ListOptions = {},
): Promise<Listing> {
  const { signal } = options;
  const limit = Math.min(options.limit ?? Number.POSITIVE_INFINITY, context.limits.listEntries);
  const request: BoundaryRequest = { operation: 'list', verb: 'list', path };
  const { directory, relative } = openDirectory(context, request);
  try {
    const entries: ListedEntry[] = [];
    const listed = { directory, prefix: relative === '' ? '' : `${relative}/` };
    for await (const part of readEntries(context, listed, signal)) {
      const shown = part.filter(({ name }) => !isHidden(context, relative, name));
      for (const entry of shown) entries.push(entry);
      if (entries.length > limit) break;
    }
    const shown = sorted(entries.slice(0, limit));
    const sized = options.sizes === true ? await withSizes(context, directory, { shown, signal }) : shown;
    return { entries: sized, truncated: entries.length > limit };
  } catch (error) {
    throw translate(error, request);
  } finally {
    context.driver.close(directory);
  }
}

export interface OpenDirectory {
  readonly directory: Directory;
  /** Real names from the root; empty for the root itself. */
  readonly relative: string;
}

/** Opens a directory for reading its entries. The caller closes it. */
export function openDirectory(context: BoundaryContext, request: BoundaryRequest): OpenDirectory {
  const { driver } = context;
  return resolve(context, request, (step) => {
    if (step.name === '.') return { directory: driver.duplicate(step.parent), relative: '' };
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    driver.close(pinned);
    if (!pinned.stats.isDirectory()) throw refusal('NOT_A_DIRECTORY', request);
    return enterLast(context, request, step);
  });
}

function enterLast(
  { driver, mount }: BoundaryContext,
  request: BoundaryRequest,
  step: LastStep,
): OpenDirectory {
  const directory = driver.enter(step.parent, step.name);
  if (mount === undefined || driver.mountOf(directory) === mount)
    return { directory, relative: step.relative };
  driver.close(directory);
  throw refusal('OTHER_MOUNT', request);
}

/** Whether the guard hides a name from listings. */
export function isHidden({ guard }: BoundaryContext, directory: string, name: string): boolean {
  return guard?.('list', directory === '' ? name : `${directory}/${name}`, true) !== undefined;
}

/** Yields to other work between the parts of a very large directory. */
async function* readEntries(
  context: BoundaryContext,
  listed: ListedIn,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ListedEntry[]> {
  const reader = createEntryReader(context.driver, listed.directory);
  try {
    for (let part = reader.next(); part !== undefined; part = reader.next()) {
      const entries = part.filter((entry) => !isUnfinished(context, listed, entry));
      yield entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
      signal?.throwIfAborted();
      if (reader.whole) return;
      await setImmediate();
    }
  } finally {
    reader.close();
  }
}

/**
 * Measures entries by the open directory, which is several times faster than by their paths. Within one file system
 * nothing is measured: a name may be the place of another one.
 */
async function withSizes(
  { driver, mount }: BoundaryContext,
  directory: Directory,
  { shown, signal }: { readonly shown: readonly ListedEntry[]; readonly signal: AbortSignal | undefined },
): Promise<readonly ListedEntry[]> {
  if (mount !== undefined) return shown;
  const turns = new Turns(signal);
  const sized: ListedEntry[] = [];
  for (const entry of shown) {
    const size = entry.kind === 'link' ? undefined : sizeAt(driver.at(directory, entry.name));
    sized.push(size === undefined ? entry : { ...entry, size });
    if (turns.isOver) await turns.next();
  }
  return sized;
}

/** The size of an entry itself; `undefined` if it is gone, became a link, or cannot be looked at. */
function sizeAt(path: EntryName): number | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isSymbolicLink() ? undefined : stats.size;
  } catch {
    return undefined;
  }
}

function sorted(entries: readonly ListedEntry[]): readonly ListedEntry[] {
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
