import { join } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import type { EntryKind } from '../boundary/file-info.ts';
import type { ListedEntry } from '../boundary/list.ts';
import { RootwardError } from '../errors.ts';
import { type Marker, markers, matchMarker } from './markers.ts';
import { openPlace, realPathOf } from './open-place.ts';

/** A marker of the table, under the name that it has here. */
export interface FoundMarker {
  readonly name: string;
  readonly marker: Marker;
}

/** What one directory holds. */
export interface FoundMarkers {
  /** Of the product's own, in the order in which they were asked for. */
  readonly product: readonly string[];
  /** By rank, then by name. */
  readonly known: readonly FoundMarker[];
}

export interface FindMarkersOptions {
  /** The product's own markers: names of files or directories. */
  readonly product?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Entries to read before names are asked for one by one: what is larger than this is no project's top. */
const readAtMost = 10_000;

/**
 * The markers in a directory. A link counts as what it leads to, wherever that is; a link that leads nowhere
 * is no marker. Where a directory may be entered but not listed, or has very many entries, the exact names
 * are found and names by extension may not be.
 */
export async function findMarkers(
  directory: Boundary,
  { product = [], signal }: FindMarkersOptions = {},
): Promise<FoundMarkers> {
  const entries = await listCandidates(directory, new Set(product), signal);
  return sortMarkers(realPathOf(directory), entries, product);
}

/** What the entries of a directory are as markers. */
export async function sortMarkers(
  directory: string,
  entries: readonly ListedEntry[],
  product: readonly string[],
): Promise<FoundMarkers> {
  const own = new Set(product);
  const found = { product: new Set<string>(), known: [] as FoundMarker[] };
  for (const entry of entries) {
    const kind = await settleKind(directory, entry);
    if (kind !== 'file' && kind !== 'directory') continue;
    const marker = matchMarker(entry.name);
    if (own.has(entry.name)) found.product.add(entry.name);
    if (marker !== undefined && (marker.shape === 'either' || marker.shape === kind))
      found.known.push({ name: entry.name, marker });
  }
  return {
    product: product.filter((name) => found.product.has(name)),
    known: found.known.toSorted((one, other) => one.marker.rank - other.marker.rank),
  };
}

async function listCandidates(
  directory: Boundary,
  own: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<readonly ListedEntry[]> {
  const isCandidate = ({ name }: ListedEntry): boolean => own.has(name) || matchMarker(name) !== undefined;
  const options = { limit: readAtMost, ...(signal === undefined ? {} : { signal }) };
  try {
    const { entries, truncated } = await directory.list('.', options);
    if (!truncated) return entries.filter(isCandidate);
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
  }
  const names = markers.map(({ file }) => file).filter((file) => !file.startsWith('*'));
  return [...new Set([...own, ...names])].map((name) => ({ name, kind: 'unknown' }));
}

/** Links are followed, and some file systems do not say in a listing what an entry is. */
async function settleKind(directory: string, { name, kind }: ListedEntry): Promise<EntryKind | undefined> {
  if (kind !== 'link' && kind !== 'unknown') return kind;
  await using place = await openPlace(join(directory, name));
  return place?.kind;
}
