import type { KnownTops } from '../boundary/step/context.ts';
import type { HoldingRoot } from '../boundary/step/find-top.ts';

/**
 * Remembers the roots of one server across reopenings. A root is opened again by its path every few seconds;
 * if that path leads through another root, every process that can write there could have changed it in the
 * meantime.
 */
export interface Anchors {
  /** Directories that are or were roots. */
  readonly tops: KnownTops;
  /** Records a directory that was opened as a root. */
  addTop(identity: string, path: string): void;
  /** Whether a path leads to the same place in the root that holds it as when it was first seen. */
  keeps(path: string, holder: HoldingRoot): boolean;
}

/** Bounded, because clients choose what they list; the oldest entries are dropped first. */
const most = 10_000;

export function createAnchors(): Anchors {
  const tops = new Map<string, string>();
  const places = new Map<string, string>();
  return {
    tops,
    addTop: (identity, path) => keep(tops, identity, tops.get(identity) ?? path),
    keeps(path, holder) {
      const key = JSON.stringify([path, holder.path]);
      const place = places.get(key) ?? holder.relative;
      keep(places, key, place);
      return place === holder.relative;
    },
  };
}

/** Insertion order is recency; the front goes first. */
function keep(map: Map<string, string>, key: string, value: string): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
