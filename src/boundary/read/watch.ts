import { type FSWatcher, watch as watchDirectory } from 'node:fs';
import { compileGlobs, type GlobSet } from '../../path/glob.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import type { Directory } from '../system/driver.ts';
import { isErrno, translate } from '../system/errno.ts';
import { isHidden, openDirectory } from './list.ts';
import { lstat } from './stat.ts';
import { walk } from './walk.ts';

/**
 * `rename`: a name appeared or disappeared. `change`: content or attributes changed. `overflow`: events were
 * lost, so everything must be checked again.
 */
export interface WatchEvent {
  readonly kind: 'rename' | 'change' | 'overflow';
  /** Relative to the root, with `/` between names; empty for `overflow`. */
  readonly path: string;
}

export interface WatchOptions {
  /** Also watches directories below, including those created later. */
  readonly recursive?: boolean;
  /** Globs relative to the root of entries that are not watched. */
  readonly ignore?: readonly string[];
  /** The most directories to watch at once; the system has its own limit. */
  readonly directories?: number;
  readonly signal?: AbortSignal;
}

/** Linux reports changes to a directory itself by the last name of its path, which here is a number. */
const ownName = '/.';

/** Events that wait for a slow reader; further ones become one `overflow`. */
const longestQueue = 10_000;

/**
 * Reports changes below a directory, until the loop is left, the signal aborts, or the boundary is closed.
 * Watches directories, not names: a directory that is moved elsewhere is still watched there.
 */
export function watch(
  context: BoundaryContext,
  path: string,
  options: WatchOptions = {},
): AsyncIterableIterator<WatchEvent> {
  const watcher = new TreeWatch(context, options);
  const leave = context.lease.enter();
  try {
    watcher.start({ operation: 'list', verb: 'watch', path });
  } catch (error) {
    throw translate(error, { verb: 'watch', path });
  } finally {
    leave();
  }
  return watcher;
}

class TreeWatch implements AsyncIterableIterator<WatchEvent> {
  readonly #context: BoundaryContext;
  readonly #options: WatchOptions;
  readonly #ignore: GlobSet | undefined;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #queue: WatchEvent[] = [];
  /** Aborted when the loop is left, perhaps while directories are still being discovered. */
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  #wake: (() => void) | undefined;
  #failure: Error | undefined;

  constructor(context: BoundaryContext, options: WatchOptions) {
    const { ignore = [], signal } = options;
    const { closing } = context.lease;
    this.#context = context;
    this.#options = options;
    this.#ignore = ignore.length > 0 ? compileGlobs(ignore, { platform: context.platform }) : undefined;
    const ends = [closing, this.#left.signal];
    this.#signal = AbortSignal.any(signal === undefined ? ends : [...ends, signal]);
  }

  start(request: BoundaryRequest): void {
    const { directory, relative } = openDirectory(this.#context, request);
    if (this.#signal.aborted) return this.#context.driver.close(directory);
    this.#add(directory, relative);
    this.#signal.addEventListener('abort', this.#onAbort, { once: true });
    if (this.#options.recursive === true) void this.#descend(relative, false);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<WatchEvent>> {
    while (!this.#signal.aborted) {
      const value = this.#queue.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#failure !== undefined) {
        this.#end();
        throw this.#failure;
      }
      await this.#nextEvent();
    }
    return this.return();
  }

  /** Not a generator: one that was never started would not run its cleanup, and would keep its watches. */
  async return(): Promise<IteratorResult<WatchEvent>> {
    this.#end();
    return { done: true, value: undefined };
  }

  #nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  readonly #onAbort = (): void => {
    this.#wake?.();
    this.#end();
  };

  #end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#left.abort();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Watches one directory and closes the handle: the system's watch stays with the directory. */
  #add(directory: Directory, relative: string): void {
    const { driver } = this.#context;
    try {
      const { directories: most = 10_000 } = this.#options;
      if (this.#watchers.size >= most) return this.#emit({ kind: 'overflow', path: '' });
      const watcher = watchDirectory(driver.self(directory) + ownName, { persistent: false });
      watcher.on('change', (kind, name) =>
        this.#onChange(relative, String(name), kind === 'change' ? kind : 'rename'),
      );
      watcher.on('error', () => this.#emit({ kind: 'overflow', path: '' }));
      this.#watchers.get(relative)?.close();
      this.#watchers.set(relative, watcher);
    } finally {
      driver.close(directory);
    }
  }

  #onChange(directory: string, name: string, kind: 'rename' | 'change'): void {
    // About the directory itself, which the watch of its parent reports by name.
    if (name === '.') return;
    const path = directory === '' ? name : `${directory}/${name}`;
    if (isHidden(this.#context, directory, name) || this.#ignore?.match(path) !== undefined) return;
    this.#emit({ kind, path });
    if (kind === 'rename' && this.#options.recursive === true) void this.#descend(path, true);
  }

  /** Watches everything below. In a new directory, existing entries are reported as well. */
  async #descend(path: string, isNew: boolean): Promise<void> {
    try {
      if (isNew && lstat(this.#context, path).kind !== 'directory') return;
      if (isNew) this.#addAt(path);
      const { ignore = [] } = this.#options;
      for await (const entry of walk(this.#context, path === '' ? '.' : path, {
        ignore,
        signal: this.#signal,
      })) {
        if (isNew) this.#emit({ kind: 'rename', path: entry.path });
        if (entry.kind === 'directory') this.#addAt(entry.path);
      }
    } catch {
      // Gone again, or not a directory.
    }
  }

  #addAt(path: string): void {
    if (this.#signal.aborted) return;
    try {
      const { directory, relative } = openDirectory(this.#context, {
        operation: 'list',
        verb: 'watch',
        path,
      });
      this.#add(directory, relative);
    } catch (error) {
      if (isErrno(error, 'ENOSPC', 'EMFILE')) this.#fail(translate(error, { verb: 'watch', path }));
    }
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#wake?.();
  }

  #emit(event: WatchEvent): void {
    if (this.#queue.length < longestQueue) this.#queue.push(event);
    else if (this.#queue.at(-1)?.kind !== 'overflow') this.#queue.push({ kind: 'overflow', path: '' });
    this.#wake?.();
  }
}
