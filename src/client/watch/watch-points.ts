import { basename, dirname, join } from 'node:path';
import { type NameWatch, watchNames } from '../../boundary/look/watch-places.ts';
import { RootwardError } from '../../errors.ts';
import { isInside } from '../../path/inside.ts';

/** A name of interest in a directory; with a test, every name it accepts. */
export interface NameInterest {
  readonly directory: string;
  readonly name: string | ((name: string) => boolean);
}

/** Why a directory cannot be watched: the system has no watches left, or the directory cannot be read. */
export type WatchGap = 'limit' | 'permission';

interface WatchPoint {
  readonly watch: NameWatch | undefined;
  readonly gap: WatchGap | undefined;
  /** The keys that are interested in each name. */
  readonly names: Map<NameInterest['name'], Set<string>>;
}

/**
 * Watches names in directories, each directory once for all keys. When a directory is renamed or replaced, its watch
 * and those beneath it are closed; the keys are notified and set their interests again.
 */
export class WatchPoints {
  readonly #points = new Map<string, WatchPoint>();
  readonly #interests = new Map<string, readonly NameInterest[]>();
  readonly #onTouch: (keys: ReadonlySet<string>) => void;

  constructor(onTouch: (keys: ReadonlySet<string>) => void) {
    this.#onTouch = onTouch;
  }

  /** Number of watched directories. */
  get size(): number {
    return [...this.#points.values()].filter(({ watch }) => watch !== undefined).length;
  }

  /** Replaces the interests of a key. Returns why some of them cannot be watched, if so. */
  set(key: string, interests: readonly NameInterest[]): WatchGap | undefined {
    const before = this.#interests.get(key) ?? [];
    for (const interest of before) this.#leave(key, interest);
    const gaps = interests.map((interest) => this.#join(key, interest));
    this.#interests.set(key, interests);
    for (const { directory } of before) this.#drop(directory);
    return gaps.find((gap) => gap !== undefined);
  }

  delete(key: string): void {
    this.set(key, []);
    this.#interests.delete(key);
  }

  close(): void {
    for (const { watch } of this.#points.values()) watch?.close();
    this.#points.clear();
    this.#interests.clear();
  }

  #join(key: string, { directory, name }: NameInterest): WatchGap | undefined {
    const known = this.#points.get(directory);
    // A directory that could not be watched before may be watchable now.
    const point = known?.watch === undefined ? this.#open(directory, known) : known;
    if (point === undefined) return undefined;
    this.#points.set(directory, point);
    const keys = point.names.get(name) ?? new Set();
    point.names.set(name, keys.add(key));
    return point.gap;
  }

  #leave(key: string, { directory, name }: NameInterest): void {
    const { names } = this.#points.get(directory) ?? {};
    const keys = names?.get(name);
    keys?.delete(key);
    if (keys?.size === 0) names?.delete(name);
  }

  #open(directory: string, known: WatchPoint | undefined): WatchPoint | undefined {
    const names: WatchPoint['names'] = known?.names ?? new Map();
    try {
      const watch = watchNames(directory, (name) => this.#touch(directory, name));
      return { watch, gap: undefined, names };
    } catch (error) {
      const gap = gapOf(error);
      return gap === undefined ? undefined : { watch: undefined, gap, names };
    }
  }

  /** Closes a watch without interests. */
  #drop(directory: string): void {
    const point = this.#points.get(directory);
    if (point === undefined || point.names.size > 0) return;
    point.watch?.close();
    this.#points.delete(directory);
  }

  #touch(directory: string, name: string | undefined): void {
    const point = this.#points.get(directory);
    const keys = point === undefined ? new Set<string>() : keysFor(point, name);
    if (keys.size === 0) return;
    this.#forget(name === undefined ? directory : join(directory, name));
    this.#onTouch(keys);
  }

  /** Closes the watches at and beneath a changed place: they stay with their directories, wherever those have moved. */
  #forget(place: string): void {
    for (const [directory, { watch }] of this.#points) {
      if (!isInside(place, directory)) continue;
      watch?.close();
      this.#points.delete(directory);
    }
  }
}

/** Returns the keys interested in a name; all keys if the event is about the directory itself. */
function keysFor({ names }: WatchPoint, name: string | undefined): ReadonlySet<string> {
  const found = new Set(name === undefined ? [] : names.get(name));
  for (const [wanted, keys] of names) {
    if (name !== undefined && (typeof wanted === 'string' || !wanted(name))) continue;
    for (const key of keys) found.add(key);
  }
  return found;
}

/** A missing directory needs no watch: the one above reports when it appears. */
function gapOf(error: unknown): WatchGap | undefined {
  if (RootwardError.is(error, 'NOT_FOUND') || RootwardError.is(error, 'NOT_A_DIRECTORY')) return undefined;
  if (RootwardError.is(error, 'NO_SPACE') || RootwardError.is(error, 'BUSY')) return 'limit';
  if (RootwardError.is(error)) return 'permission';
  throw error;
}

/** Returns an interest in every name of a path: a change to one of them affects the path. */
export function interestsOf(path: string): readonly NameInterest[] {
  const found: NameInterest[] = [];
  for (let below = path; dirname(below) !== below; below = dirname(below))
    found.push({ directory: dirname(below), name: basename(below) });
  return found;
}
