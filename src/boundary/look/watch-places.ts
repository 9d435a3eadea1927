import { watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { translate } from '../system/errno.ts';
import type { EntryKind } from '../system/file-info.ts';

export interface ContentWatchOptions {
  /**
   * Called with each path that appeared, changed or disappeared: relative, with `/` between names; empty for
   * the top.
   */
  readonly onChange: (path: string) => void;
  /** Selects paths that are neither watched nor reported, directories with their content. */
  readonly ignored: (path: string) => boolean;
  /** `file` to watch one file; a directory by default. */
  readonly kind?: EntryKind;
  /** Polls at this interval in milliseconds instead of using events of the system. */
  readonly poll?: number | undefined;
}

export interface ContentWatch {
  /** Resolves once all existing entries are watched; at the latest after half a minute. */
  readonly ready: Promise<void>;
  /** Whether a part is polled, because the system is out of watches or `poll` was given. */
  readonly isPolling: boolean;
  close(): void;
}

/**
 * Watches a whole tree, one watch per directory. Reads no content; links are reported and never followed.
 * Works by path, not by handle, so a report is only a hint to look again through a `Boundary`.
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
  // With a start time, files in a new directory are reported too.
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

/** Watchpack also checks the parent directory once the watched one is gone. */
function isBeneath(directory: string, path: string): boolean {
  return path.startsWith(join(directory, sep));
}

/** Watchpack's state of each watched directory. */
interface ScannedDirectory {
  readonly initialScan: boolean;
  readonly polledWatching: number | false;
}

interface ScanningWatcher {
  readonly watcherManager: { readonly directoryWatchers: ReadonlyMap<string, ScannedDirectory> };
}

const scanSteps = 1_500;
const scanStep = 20;

/** Polls, because watchpack has no event for the end of its first scan. */
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

/** Linux reports changes to a directory itself by the last name of its path: this makes it `.`. */
const ownName = '/.';

/**
 * Reports names in a directory that appear, disappear or change; `undefined` when the directory itself
 * changed or events were lost. Unlike `Boundary.watch` it keeps no handle, so the directory can be unmounted.
 * Does not keep the process alive.
 *
 * @throws {RootwardError} `NOT_FOUND`, `NOT_A_DIRECTORY`, `NO_PERMISSION`; `NO_SPACE` and `BUSY` if the
 * system is out of watches
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

/** Some systems do not report which name changed. */
function isOwn(name: string): boolean {
  return name === '.' || name === 'null' || name === '';
}
