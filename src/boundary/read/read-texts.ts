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
  /** Whether a file is wanted, by its path from the root; all are by default. */
  readonly wanted?: ((path: string) => boolean) | undefined;
  /** Bytes of a file; larger ones are passed over. */
  readonly limit: number;
  /** Only texts that hold these bytes. */
  readonly holding?: Uint8Array;
}

/** What one file contains. */
export interface FileText {
  /** Relative to the root, with `/` between names. */
  readonly path: string;
  /** UTF-8, as far as the file is. */
  readonly bytes: Buffer;
}

/** Texts in order, a few at a time; at the end the limit that ended the walk early, if one did. */
export type FileTexts = AsyncGenerator<readonly FileText[], Walk['stopped']>;

/**
 * Reads every text in a tree that the guard lets be read, in the order of a sorted walk. Nothing else is opened: a
 * file is opened by its name in the directory that the walk holds, no link is followed, and what the guard refuses
 * costs the same whatever it contains.
 *
 * On Linux threads do it, each file in one `open` that cannot wait. A device that takes the place of a file between
 * two moments is opened there; at most 64 KiB of it are read, and dropped. Elsewhere, and where mounts are refused, a
 * file is looked at before it is opened, one after the other.
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

/** Loads under way for each thread. */
const loadsEach = 3;

interface LoadSource {
  readonly loads: AsyncGenerator<Load, undefined>;
  readonly read: ReadLoad;
  readonly width: number;
}

/** Keeps the threads busy, also while this one has no turn. */
async function fill(ahead: LoadAhead[], { loads, read, width }: LoadSource): Promise<void> {
  while (ahead.length < width * loadsEach) {
    const next = await loads.next();
    if (next.done === true) return;
    ahead.push({ load: next.value, part: startReading(read, next.value, 0) });
  }
}

interface CountedPlace extends DirectoryPart {
  /** How many names there are. */
  readonly count: number;
}

/** Files of several directories, which are held open for them. */
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
  // It is awaited later, or not at all if the search ends before.
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

/** The path of a file by its number among all places. Numbers rise, and most places are passed over. */
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

/** How much one load holds: few handles, and work for some milliseconds. */
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

/** Threads can only open by handle; all other ways need the checks of the driver, which is here. */
function readerFor(context: BoundaryContext, request: BoundaryRequest, options: ReadTextsOptions): ReadLoad {
  const { driver, mount, hardLinks } = context;
  const { readers, limit, holding } = options;
  const refused = [...(context.kept?.files ?? [])];
  const wish = { limit, oneName: hardLinks === 'refuse', refused, ...(holding && { holding }) };
  if (driver.level !== 'kernel' || mount !== undefined) return readHere(context, request, wish);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  // The number instead of `self` spares the kernel a link for every file.
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
