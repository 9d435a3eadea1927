import { basename, dirname, join } from 'node:path';
import { type NameWatch, watchNames } from '../../boundary/look/watch-places.ts';
import { RootwardError } from '../../errors.ts';
import { isInside } from '../../path/inside.ts';

/** A name in a directory that somebody wants to hear about; with a test, every name that it accepts. */
export interface NameInterest {
  readonly directory: string;
  readonly name: string | ((name: string) => boolean);
}

/** Why some of the directories cannot be watched: the system has no watch left, or they cannot be read. */
export type WatchGap = 'limit' | 'permission';

interface WatchPoint {
  readonly watch: NameWatch | undefined;
  readonly gap: WatchGap | undefined;
  /** Who wants to hear about which name. */
  readonly names: Map<NameInterest['name'], Set<string>>;
}

/**
 * Watches names in directories for many who ask, each directory once. A directory that is renamed or replaced
 * is let go, with all that is beneath it; whoever is told asks again.
 */
export class WatchPoints {
  readonly #points = new Map<string, WatchPoint>();
  readonly #interests = new Map<string, readonly NameInterest[]>();
  readonly #onTouch: (keys: ReadonlySet<string>) => void;

  constructor(onTouch: (keys: ReadonlySet<string>) => void) {
    this.#onTouch = onTouch;
  }

  /** How many directories are watched. */
  get size(): number {
    return [...this.#points.values()].filter(({ watch }) => watch !== undefined).length;
  }

  /** Replaces what somebody wants to hear about; tells what cannot be watched. */
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
    // What could not be watched before may be watched now.
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

  /** Closes a watch that nobody needs any more. */
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

  /** A watch stays with its directory wherever that goes: those at and beneath a place that changed are stale. */
  #forget(place: string): void {
    for (const [directory, { watch }] of this.#points) {
      if (!isInside(place, directory)) continue;
      watch?.close();
      this.#points.delete(directory);
    }
  }
}

/** Who wants to hear about a name; everybody, if it is about the directory itself. */
function keysFor({ names }: WatchPoint, name: string | undefined): ReadonlySet<string> {
  const found = new Set(name === undefined ? [] : names.get(name));
  for (const [wanted, keys] of names) {
    if (name !== undefined && (typeof wanted === 'string' || !wanted(name))) continue;
    for (const key of keys) found.add(key);
  }
  return found;
}

/** What is not there cannot be watched, and need not: the directory above tells when it comes. */
function gapOf(error: unknown): WatchGap | undefined {
  if (RootwardError.is(error, 'NOT_FOUND') || RootwardError.is(error, 'NOT_A_DIRECTORY')) return undefined;
  if (RootwardError.is(error, 'NO_SPACE') || RootwardError.is(error, 'BUSY')) return 'limit';
  if (RootwardError.is(error)) return 'permission';
  throw error;
}

/** Every name on the way to a path: whatever happens to one of them happens to the path. */
export function interestsOf(path: string): readonly NameInterest[] {
  const found: NameInterest[] = [];
  for (let below = path; dirname(below) !== below; below = dirname(below))
    found.push({ directory: dirname(below), name: basename(below) });
  return found;
}
