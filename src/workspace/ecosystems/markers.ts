import { ecosystems } from './all-ecosystems.ts';
import type { Marker, MarkerRow } from './record/ecosystem.ts';

/** Every marker that is known without a product's own, by rank. */
export const markers: readonly Marker[] = ecosystems
  .flatMap(({ name, markers: rows }) => rows.map((row) => ({ row, ecosystem: name })))
  .toSorted((one, other) => weightOf(one.row) - weightOf(other.row))
  .map(toMarker);

const byName: ReadonlyMap<string, Marker> = new Map(
  markers.filter(({ file }) => !file.startsWith('*')).map((marker) => [marker.file, marker]),
);

const byExtension: ReadonlyMap<string, Marker> = new Map(
  markers.filter(({ file }) => file.startsWith('*')).map((marker) => [marker.file.slice(1), marker]),
);

/**
 * The marker that a name is, by the name alone: whether it is a file or a directory is for the caller to
 * compare with `shape`. Asked for every name of a tree, so it costs two lookups.
 *
 * @example
 * ```ts
 * matchMarker('Cargo.toml').ecosystem // → 'rust'
 * matchMarker('App.sln').file // → '*.sln'
 * matchMarker('.sln') // → undefined
 * ```
 */
export function matchMarker(name: string): Marker | undefined {
  const exact = byName.get(name);
  if (exact !== undefined) return exact;
  const dot = name.lastIndexOf('.');
  return dot > 0 ? byExtension.get(name.slice(dot)) : undefined;
}

/** Repositories come first, then manifests, then those that repeat further down, then those that say little. */
function weightOf({ kind, weak, repeats }: MarkerRow): number {
  if (weak === true) return 3;
  if (repeats === true) return 2;
  return kind === 'repository' ? 0 : 1;
}

function toMarker(
  { row, ecosystem }: { readonly row: MarkerRow; readonly ecosystem: string },
  rank: number,
): Marker {
  return { kind: 'manifest', shape: 'file', weak: false, repeats: false, ...row, ecosystem, rank };
}
