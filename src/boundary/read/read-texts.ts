import fs, { constants, readlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { requireRegular } from '../step/open-file.ts';
import type { Directory } from '../system/driver.ts';
import { errnoError, translate } from '../system/errno.ts';
import { mayPass } from './gitignore.ts';
import { type FilesPart, type DirectoryPart, readPart, textIn } from './read-part.ts';
import type { TextReaders } from './text-readers.ts';
import { type HeldDirectory, TreeWalk, type Walk, type WalkEntry, type WalkOptions } from './walk.ts';

export interface ReadTextsOptions extends Omit<WalkOptions, 'sorted' | 'choose'> {
  readonly readers: TextReaders;
  /** Selects files by their path from the root; all by default. */
  readonly wanted?: ((path: string) => boolean) | undefined;
  /** Largest file size in bytes; larger files are skipped. */
  readonly limit: number;
  /** Yields only texts that contain these bytes. */
  readonly holding?: Uint8Array;
}

/** The content of one file. */
export interface FileText {
  /** Relative to the root, with `/` between names. */
  readonly path: string;
  /** Valid UTF-8 if the file is. */
  readonly bytes: Buffer;
}

/** Yields texts in order, a few at a time; returns the limit that ended the walk early, if any. */
export type FileTexts = AsyncGenerator<readonly FileText[], Walk['stopped']>;

/**
 * Reads every text in a tree that the guard permits, in the order of a sorted walk. Opens no other file: each
 * file is opened by name in the directory that the walk holds, no link is followed, and a refused file costs
 * the same whatever it contains.
 *
 * On Linux, threads open each file with a single non-blocking `open`. A device that replaces a file at that
 * moment is opened; at most 64 KiB of it are read, and dropped. Elsewhere, and where mounts are refused,
 * files are checked before they are opened, one after the other.
 */
export async function* readTexts(
  context: BoundaryContext,
  path: string,
  options: ReadTextsOptions,
): FileTexts {
  const request: BoundaryRequest = { operation: 'list', verb: 'search', path };
  const tree = new TreeWalk(context, request, { ...options, sorted: true });
  const loads = loadsOf(context, tree, options);
  const read = readerFor(context, request, options);
  const ahead: LoadAhead[] = [];
  try {
    for (;;) {
      await fill(ahead, { loads, read, width: options.readers.width });
      const first = ahead[0];
      if (first === undefined) return tree.stopped;
      yield* partsOf(first, { read, request, signal: options.signal });
      ahead.shift()?.load.close();
    }
  } finally {
    // A handle must not be closed while a thread may still use its number.
    await Promise.allSettled(ahead.map(({ part }) => part));
    for (const { load } of ahead) load.close();
    await loads.return(undefined);
  }
}

/** Loads in progress per thread. */
const loadsEach = 3;

interface LoadSource {
  readonly loads: AsyncGenerator<Load, undefined>;
  readonly read: ReadLoad;
  readonly width: number;
}

/** Queues enough loads to keep the threads busy while this thread does other work. */
async function fill(ahead: LoadAhead[], { loads, read, width }: LoadSource): Promise<void> {
  while (ahead.length < width * loadsEach) {
    const next = await loads.next();
    if (next.done === true) return;
    ahead.push({ load: next.value, part: startReading(read, next.value, 0) });
  }
}

interface CountedPlace extends DirectoryPart {
  /** The number of names. */
  readonly count: number;
}

/** Files of several directories, which are held open meanwhile. */
interface Load {
  readonly places: readonly CountedPlace[];
  readonly directories: readonly Directory[];
  close(): void;
}

/** A load whose next part is being read. */
interface LoadAhead {
  readonly load: Load;
  part: Promise<FilesPart>;
}

type ReadLoad = (load: Load, from: number) => Promise<FilesPart>;

function startReading(read: ReadLoad, load: Load, from: number): Promise<FilesPart> {
  const part = read(load, from);
  // Awaited later, or never if the search ends first.
  part.catch(() => undefined);
  return part;
}

interface LoadReading {
  readonly read: ReadLoad;
  readonly request: BoundaryRequest;
  readonly signal: AbortSignal | undefined;
}

async function* partsOf(
  ahead: LoadAhead,
  { read, request, signal }: LoadReading,
): AsyncGenerator<readonly FileText[]> {
  for (;;) {
    const { next, texts, bytes, fault } = await ahead.part;
    signal?.throwIfAborted();
    if (fault !== undefined) throw translate(errnoError(fault), request);
    if (next !== undefined) ahead.part = startReading(read, ahead.load, next);
    if (texts.length > 0) yield toTexts(ahead.load.places, texts, bytes);
    if (next === undefined) return;
  }
}

function toTexts(
  places: readonly CountedPlace[],
  texts: readonly number[],
  bytes: ArrayBuffer,
): readonly FileText[] {
  const found: FileText[] = [];
  const pathOf = pathsIn(places);
  for (let at = 0; at < texts.length; at += 3) {
    const [start, end] = [texts[at + 1] ?? 0, texts[at + 2] ?? 0];
    found.push({ path: pathOf(texts[at] ?? 0), bytes: Buffer.from(bytes, start, end - start) });
  }
  return found;
}

/** Returns the path of a file by its index among all places. Expects ascending indexes. */
function pathsIn(places: readonly CountedPlace[]): (index: number) => string {
  let [at, first] = [0, 0];
  let names: readonly string[] | undefined;
  return (index) => {
    for (; at < places.length; at += 1) {
      const count = places[at]?.count ?? 0;
      if (index < first + count) break;
      first += count;
      names = undefined;
    }
    names ??= places[at]?.names.split('/') ?? [];
    return `${places[at]?.prefix ?? ''}${names[index - first] ?? ''}`;
  };
}

/** Size of a load: few handles, and work for some milliseconds. */
const load = { files: 640, directories: 32 } as const;

async function* loadsOf(
  context: BoundaryContext,
  tree: TreeWalk,
  { wanted }: ReadTextsOptions,
): AsyncGenerator<Load, undefined> {
  const { guard, lease } = context;
  let held: (HeldDirectory & { readonly place: CountedPlace })[] = [];
  let files = 0;
  const close = (taken: typeof held) => (): void => {
    for (const { release } of taken.splice(0)) release();
  };
  const take = (): Load => {
    const taken = held;
    [held, files] = [[], 0];
    const directories = taken.map(({ directory }) => directory);
    return { places: taken.map(({ place }) => place), directories, close: close(taken) };
  };
  try {
    for await (const batch of tree.batches()) {
      lease.closing.throwIfAborted();
      const { prefix } = tree;
      const names = readableNames(batch, prefix, { guard, wanted });
      const count = names.length;
      if (count === 0) continue;
      const own = tree.hold();
      held.push({ ...own, place: { prefix, fd: own.directory.fd, names: names.join('/'), count } });
      files += count;
      if (files >= load.files || held.length >= load.directories) yield take();
    }
    if (held.length > 0) yield take();
    return undefined;
  } finally {
    close(held)();
  }
}

function readableNames(
  batch: readonly WalkEntry[],
  prefix: string,
  { guard, wanted }: Pick<BoundaryContext, 'guard'> & Pick<ReadTextsOptions, 'wanted'>,
): readonly string[] {
  const names: string[] = [];
  let passes: boolean | undefined;
  for (const { path, kind } of batch) {
    if (kind !== 'file' || wanted?.(path) === false) continue;
    passes ??= mayPass(guard, prefix);
    if (!passes) return [];
    if (guard?.('read', path, true) === undefined) names.push(path.slice(prefix.length));
  }
  return names;
}

/** Threads can only open by handle; everything else needs the driver's checks, which run here. */
function readerFor(context: BoundaryContext, request: BoundaryRequest, options: ReadTextsOptions): ReadLoad {
  const { driver, mount, hardLinks } = context;
  const { readers, limit, holding } = options;
  const refused = [...(context.kept?.files ?? [])];
  const wish = { limit, oneName: hardLinks === 'refuse', refused, ...(holding && { holding }) };
  if (driver.level !== 'kernel' || mount !== undefined) return readHere(context, request, wish);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  // The process id instead of `self` saves the kernel a link for every file.
  const handles = `/proc/${readlinkSync('/proc/self')}/fd`;
  return ({ places }, from) => readers.read({ ...wish, places, from, handles, flags });
}

function readHere(
  context: BoundaryContext,
  request: BoundaryRequest,
  wish: Pick<ReadTextsOptions, 'limit' | 'holding'> & { readonly oneName: boolean },
): ReadLoad {
  const { driver, mount } = context;
  const scratch = { bytes: Buffer.allocUnsafeSlow(64 * 1024) };
  return async ({ places, directories }, from) => {
    await setImmediate();
    const open = (place: DirectoryPart, name: string): number => {
      const directory = directories[places.findIndex((one) => one === place)];
      if (directory === undefined) throw errnoError('EBADF');
      const pinned = driver.pin(directory, name);
      try {
        requireRegular(context, request, pinned);
        if (mount !== undefined && driver.mountOf(pinned) !== mount) throw errnoError('EXDEV');
        return driver.reopen(pinned, constants.O_RDONLY);
      } finally {
        driver.close(pinned);
      }
    };
    return readPart({ fs, open, textIn, scratch }, { ...wish, places, from });
  };
}
