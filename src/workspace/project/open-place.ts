import type { Boundary } from '../../boundary/boundary.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { type ErrorCode, RootwardError } from '../../errors.ts';

/** A directory or file to look into, or the code of why it cannot be. */
export type OpenedPlace = { readonly boundary: Boundary } | { readonly refused: ErrorCode };

/**
 * Opens a directory or file for a look, links followed. Nothing is granted by a look, so any level will do:
 * detection works where `/proc` is missing.
 */
export async function tryOpen(path: string): Promise<OpenedPlace> {
  try {
    return { boundary: await openBoundary(path, { requireLevel: 'verified' }) };
  } catch (error) {
    if (RootwardError.is(error)) return { refused: error.code };
    throw error;
  }
}

/** The same for those who do not ask why. */
export async function openPlace(path: string): Promise<Boundary | undefined> {
  const place = await tryOpen(path);
  return 'boundary' in place ? place.boundary : undefined;
}

/** Where a place really is: absolute, without links. */
export function realPathOf({ spellings, name }: Boundary): string {
  return spellings.at(-1) ?? name;
}

/** Where a path really leads; `undefined` if it leads nowhere. */
export async function findRealPath(path: string): Promise<string | undefined> {
  await using place = await openPlace(path);
  return place === undefined ? undefined : realPathOf(place);
}
