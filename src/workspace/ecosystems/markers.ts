import { ecosystems } from './all-ecosystems.ts';
import type { Marker, MarkerRow } from './record/ecosystem.ts';

/** All known markers, by rank, without those of a product. */
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
 * Finds the marker for a name, by the name alone: the caller compares `shape` with the kind of the entry.
 * Called for every name of a tree, so it takes two lookups.
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

/** Repositories come first, then manifests, then repeating markers, then weak ones. */
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
