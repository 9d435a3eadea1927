import { join } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import type { ListedEntry } from '../../boundary/read/list.ts';
import type { EntryKind } from '../../boundary/system/file-info.ts';
import { RootwardError } from '../../errors.ts';
import { hostPlatform, type Platform } from '../../path/platform.ts';
import { componentFault } from '../../path/split-path.ts';
import { markers, matchMarker } from '../ecosystems/markers.ts';
import type { Marker } from '../ecosystems/record/ecosystem.ts';
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
  /** A link that leads out of the boundary is no marker, and it is not looked at where it leads. */
  readonly within?: boolean;
}

/** Says what a link leads to; `undefined` for nothing that counts. */
export type FollowLink = (name: string) => Promise<EntryKind | undefined>;

/** Entries to read before names are asked for one by one: what is larger than this is no project's top. */
const readAtMost = 10_000;

/**
 * The markers in a directory. A link counts as what it leads to, wherever that is unless told otherwise; a link that
 * leads nowhere is no marker. Where a directory may be entered but not listed, or has very many entries, the exact names
 * are found and names by extension may not be.
 */
export async function findMarkers(
  directory: Boundary,
  { product = [], signal, within = false }: FindMarkersOptions = {},
): Promise<FoundMarkers> {
  const entries = await listCandidates(directory, new Set(product), signal);
  return sortMarkers(within ? followWithin(directory) : followAnywhere(directory), entries, product);
}

/** What the entries of a directory are as markers. */
export async function sortMarkers(
  follow: FollowLink,
  entries: readonly ListedEntry[],
  product: readonly string[],
): Promise<FoundMarkers> {
  const own = new Set(product);
  const found = { product: new Set<string>(), known: [] as FoundMarker[] };
  for (const entry of entries) {
    // Some file systems do not say in a listing what an entry is.
    const kind = entry.kind === 'link' || entry.kind === 'unknown' ? await follow(entry.name) : entry.kind;
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

function followAnywhere(directory: Boundary): FollowLink {
  return async (name) => {
    await using place = await openPlace(join(realPathOf(directory), name));
    return place?.kind;
  };
}

/** By the rules of the boundary: whether something is there that a link leads out to does not show. */
export function followWithin(boundary: Boundary, prefix = ''): FollowLink {
  return async (name) => {
    try {
      return (await boundary.stat(prefix + name)).kind;
    } catch (error) {
      if (RootwardError.is(error)) return undefined;
      throw error;
    }
  };
}

/**
 * A product's own marker: the name of one file or directory, to be found as it is written. A path could leave
 * the directory that is looked at, and a pattern would never be found.
 *
 * @throws {RootwardError} `INVALID_MARKER`
 * @internal
 */
export function parseMarker(text: string, platform: Platform = hostPlatform): string {
  const reason = findFault(text, platform);
  if (reason !== undefined) throw new RootwardError('INVALID_MARKER', { marker: text, reason });
  return text;
}

function findFault(text: string, platform: Platform): string | undefined {
  if (text === '') return 'it is empty';
  if (text === '.' || text === '..') return 'it is no name of its own';
  if (/[\\/]/.test(text)) return 'it is more than one name';
  if (/[*?]/.test(text)) return 'it is a pattern, not a name';
  return componentFault(text, platform);
}
