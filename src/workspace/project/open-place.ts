import type { Boundary } from '../../boundary/boundary.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { type ErrorCode, RootwardError } from '../../errors.ts';

/** An opened directory or file, or the error code. */
export type OpenedPlace = { readonly boundary: Boundary } | { readonly refused: ErrorCode };

/**
 * Opens a directory or file for reading, following links. Any level suffices, because looking grants nothing:
 * detection also works where `/proc` is missing.
 */
export async function tryOpen(path: string): Promise<OpenedPlace> {
  try {
    return { boundary: await openBoundary(path, { requireLevel: 'verified' }) };
  } catch (error) {
    if (RootwardError.is(error)) return { refused: error.code };
    throw error;
  }
}

/** Like `tryOpen`, without the error code. */
export async function openPlace(path: string): Promise<Boundary | undefined> {
  const place = await tryOpen(path);
  return 'boundary' in place ? place.boundary : undefined;
}

/** The real path of an open place: absolute, without links. */
export function realPathOf({ spellings, name }: Boundary): string {
  return spellings.at(-1) ?? name;
}

/** Returns the real path of a path, or `undefined` if it leads nowhere. */
export async function findRealPath(path: string): Promise<string | undefined> {
  await using place = await openPlace(path);
  return place === undefined ? undefined : realPathOf(place);
}
