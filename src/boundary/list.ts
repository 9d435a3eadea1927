import { opendirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { RootwardError } from '../errors.ts';
import type { BoundaryContext, Request } from './context.ts';
import type { Directory } from './driver.ts';
import { translate } from './errno.ts';
import { type EntryKind, kindOf } from './file-info.ts';
import { pinLast } from './pin-last.ts';
import { type LastStep, LinkFound, resolve } from './resolve.ts';

export interface ListedEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface Listing {
  /** Sorted by name. */
  readonly entries: readonly ListedEntry[];
  /** There are more entries than the limit allows. */
  readonly truncated: boolean;
}

export interface ListOptions {
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** The entries of a directory, links as links. What the guard refuses is not there. */
export async function list(
  context: BoundaryContext,
  path: string,
  options: ListOptions = {},
): Promise<Listing> {
  const { limit = context.limits.listEntries, signal } = options;
  const request: Request = { operation: 'list', verb: 'list', path };
  const { directory, relative } = openDirectory(context, request);
  try {
    const entries: ListedEntry[] = [];
    for await (const entry of readEntries(context, directory, signal)) {
      if (isHidden(context, relative, entry.name)) continue;
      if (entries.length === limit) return { entries: sorted(entries), truncated: true };
      entries.push(entry);
    }
    return { entries: sorted(entries), truncated: false };
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

/** Opens a directory for reading its entries. Whoever gets it closes it. */
export function openDirectory(context: BoundaryContext, request: Request): OpenDirectory {
  const { driver } = context;
  return resolve(context, request, (step) => {
    if (step.name === '.') return { directory: driver.duplicate(step.parent), relative: '' };
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    driver.close(pinned);
    if (!pinned.stats.isDirectory()) throw new RootwardError('NOT_A_DIRECTORY', request);
    return enterLast(context, step);
  });
}

function enterLast({ driver, mount }: BoundaryContext, step: LastStep): OpenDirectory {
  const directory = driver.enter(step.parent, step.name);
  if (mount === undefined || driver.mountOf(directory) === mount)
    return { directory, relative: step.relative };
  driver.close(directory);
  throw new RootwardError('OTHER_MOUNT', { verb: 'list', path: step.relative });
}

/** Whether the guard hides a name from listings. */
export function isHidden({ guard }: BoundaryContext, directory: string, name: string): boolean {
  return guard?.('list', directory === '' ? name : `${directory}/${name}`, true) !== undefined;
}

const entriesPerTurn = 4_096;

/** In batches, so that a directory with a million entries does not hold the process. */
async function* readEntries(
  { driver }: BoundaryContext,
  directory: Directory,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedEntry> {
  const entries = opendirSync(driver.self(directory), { bufferSize: 1_024 });
  try {
    for (let count = 1; ; count += 1) {
      const entry = entries.readSync();
      if (entry === null) return;
      yield { name: entry.name, kind: kindOf(entry) };
      if (count % entriesPerTurn === 0) {
        await setImmediate();
        signal?.throwIfAborted();
      }
    }
  } finally {
    entries.closeSync();
  }
}

function sorted(entries: readonly ListedEntry[]): readonly ListedEntry[] {
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
