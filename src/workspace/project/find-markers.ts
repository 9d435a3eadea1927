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

/** A known marker, and the name under which it was found. */
export interface FoundMarker {
  readonly name: string;
  readonly marker: Marker;
}

/** The markers of one directory. */
export interface FoundMarkers {
  /** The product's own markers, in the order of the options. */
  readonly product: readonly string[];
  /** By rank, then by name. */
  readonly known: readonly FoundMarker[];
}

export interface FindMarkersOptions {
  /** The product's own markers: names of files or directories. */
  readonly product?: readonly string[];
  readonly signal?: AbortSignal;
  /** Ignores links that lead out of the boundary, without looking at their targets. */
  readonly within?: boolean;
}

/** Returns the kind of a link's target, or `undefined` if it does not count. */
export type FollowLink = (name: string) => Promise<EntryKind | undefined>;

/** Entries to read before names are checked one by one: a larger directory is not the top of a project. */
const readAtMost = 10_000;

/**
 * Finds the markers in a directory. A link counts as its target, wherever that is unless `within` is set; a
 * dangling link does not count. If a directory may be entered but not listed, or has very many entries, exact
 * names are found, but names by extension may not be.
 */
export async function findMarkers(
  directory: Boundary,
  { product = [], signal, within = false }: FindMarkersOptions = {},
): Promise<FoundMarkers> {
  const entries = await listCandidates(directory, new Set(product), signal);
  return sortMarkers(within ? followWithin(directory) : followAnywhere(directory), entries, product);
}

/** Sorts the entries of a directory into markers. */
export async function sortMarkers(
  follow: FollowLink,
  entries: readonly ListedEntry[],
  product: readonly string[],
): Promise<FoundMarkers> {
  const own = new Set(product);
  const found = { product: new Set<string>(), known: [] as FoundMarker[] };
  for (const entry of entries) {
    // Some file systems do not report the kind of an entry in a listing.
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

/** Follows by the rules of the boundary, so that the existence of a target outside is not revealed. */
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
 * Checks a product's own marker: the literal name of one file or directory. A path could leave the directory,
 * and a pattern would never match.
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
  if (text === '.' || text === '..') return 'it is not the name of a file';
  if (/[\\/]/.test(text)) return 'it is more than one name';
  if (/[*?]/.test(text)) return 'it is a pattern, not a name';
  return componentFault(text, platform);
}
