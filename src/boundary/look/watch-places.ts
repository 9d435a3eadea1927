import { watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { translate } from '../system/errno.ts';
import type { EntryKind } from '../system/file-info.ts';

export interface ContentWatchOptions {
  /** Told each path that appeared, changed or is gone: relative, with `/` between names; empty for the top. */
  readonly onChange: (path: string) => void;
  /** What is neither watched nor told, directories with all that is in them. */
  readonly ignored: (path: string) => boolean;
  /** Whether one file is watched; a directory by default. */
  readonly kind?: EntryKind;
  /** Looks every so many milliseconds instead of being told by the system. */
  readonly poll?: number | undefined;
}

export interface ContentWatch {
  /** Fulfilled once everything that was there is watched; at the latest after half a minute. */
  readonly ready: Promise<void>;
  /** Whether a part of it is polled, because the system has no watches left or somebody asked for it. */
  readonly isPolling: boolean;
  close(): void;
}

/**
 * Watches a whole tree, one watch per directory. Names only: nothing is read, links are told and never followed.
 * Works by path, not by handle, so what it tells is a hint to look again, through a `Boundary`.
 */
export async function watchContent(directory: string, options: ContentWatchOptions): Promise<ContentWatch> {
  const { default: Watch } = await import('watchpack');
  const toRelative = (path: string): string => relative(directory, path).split(sep).join('/');
  const ignored = (path: string): boolean => path !== directory && options.ignored(toRelative(path));
  const watch = new Watch({
    ignored: (path: string) => isBeneath(directory, path) && ignored(path),
    followSymlinks: false,
    ...(options.poll === undefined ? {} : { poll: options.poll }),
  });
  const tell = (path: string): void => {
    if (!ignored(path)) options.onChange(toRelative(path));
  };
  watch.on('change', tell);
  watch.on('remove', tell);
  // From now on: without a moment, files that come with a new directory would not be told.
  const wanted = options.kind === 'file' ? 'files' : 'directories';
  watch.watch({ [wanted]: [directory], startTime: Date.now() });
  const stop = new AbortController();
  return {
    ready: untilScanned(watch, stop.signal),
    get isPolling() {
      return partsOf(watch).some(({ polledWatching }) => polledWatching !== false);
    },
    close() {
      stop.abort();
      watch.close();
    },
  };
}

/** The directory above is looked at too, once the watched one is gone. */
function isBeneath(directory: string, path: string): boolean {
  return path.startsWith(join(directory, sep));
}

/** What is known of each directory that is watched. */
interface ScannedDirectory {
  readonly initialScan: boolean;
  readonly polledWatching: number | false;
}

interface ScanningWatcher {
  readonly watcherManager: { readonly directoryWatchers: ReadonlyMap<string, ScannedDirectory> };
}

const scanSteps = 1_500;
const scanStep = 20;

/** It tells nobody when it has seen everything for the first time. */
async function untilScanned(watch: ScanningWatcher, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < scanSteps && !signal.aborted; step += 1) {
    if (partsOf(watch).every(({ initialScan }) => !initialScan)) return;
    await setTimeout(scanStep, undefined, { signal, ref: false }).catch(() => {});
  }
}

function partsOf({ watcherManager }: ScanningWatcher): readonly ScannedDirectory[] {
  return [...watcherManager.directoryWatchers.values()];
}

export interface NameWatch {
  close(): void;
}

/** Linux tells what happens to a directory itself by the last name of its path: this makes it tell `.`. */
const ownName = '/.';

/**
 * Tells which names in a directory appear, go or change; `undefined` when the directory itself did, or events
 * were lost. Unlike `Boundary.watch` it keeps no handle: what is held open cannot be unmounted. Does not keep
 * the process alive.
 *
 * @throws {RootwardError} `NOT_FOUND`, `NOT_A_DIRECTORY`, `NO_PERMISSION`; `NO_SPACE` and `BUSY` where the system
 * has no watch left
 */
export function watchNames(directory: string, onName: (name: string | undefined) => void): NameWatch {
  try {
    const watcher = watch(directory + ownName, { persistent: false });
    watcher.on('change', (_kind, name) => onName(isOwn(String(name)) ? undefined : String(name)));
    watcher.on('error', () => onName(undefined));
    return { close: () => watcher.close() };
  } catch (error) {
    throw translate(error, { verb: 'watch', path: directory });
  }
}

/** Systems that do not know which name it was say nothing. */
function isOwn(name: string): boolean {
  return name === '.' || name === 'null' || name === '';
}
