import { dirname, resolve } from 'node:path';
import type { ErrorCode } from '../../errors.ts';
import { hostPlatform } from '../../path/platform.ts';
import { splitPath } from '../../path/split-path.ts';
import { findRealPath, realPathOf, tryOpen } from './open-place.ts';

/** A directory under two names. */
export interface Start {
  /** As the caller spells it: absolute, links not followed. */
  readonly spelled: string;
  readonly real: string;
  /** How many levels were used up by directories that cannot be opened. */
  readonly skipped: number;
}

/** It is there, but cannot be reached: not a reason to believe that nothing is above it. */
const passedOver: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NO_PERMISSION', 'NAME_TOO_LONG']);

/**
 * Where a search from a path begins: at the directory that it names, or else at the one that holds it,
 * whether or not the file exists. `undefined` if there is no such directory.
 */
export async function findStart(path: string): Promise<Start | undefined> {
  if ('fault' in splitPath(path, hostPlatform)) return undefined;
  const given = resolve(path);
  const opened = await openDirectory(given, 0);
  if (typeof opened === 'object') return opened;
  for (let spelled = dirname(given), skipped = 0; ; skipped += 1) {
    const start = await openDirectory(spelled, skipped);
    if (typeof start === 'object') return start;
    if (!passedOver.has(start) || dirname(spelled) === spelled) return undefined;
    spelled = dirname(spelled);
  }
}

async function openDirectory(spelled: string, skipped: number): Promise<Start | ErrorCode> {
  const place = await tryOpen(spelled);
  if ('refused' in place) return place.refused;
  await using boundary = place.boundary;
  if (boundary.kind === 'file') return 'NOT_A_DIRECTORY';
  return { spelled, real: realPathOf(boundary), skipped };
}

/**
 * A directory above the start as the caller would spell it: as many levels up, if that is the same
 * directory. If a link on the way leads elsewhere, the real path is the only true spelling.
 */
export async function spellAbove({ spelled, real }: Start, directory: string): Promise<string> {
  if (spelled === real) return directory;
  let above = spelled;
  for (let path = real; path !== directory; path = dirname(path)) above = dirname(above);
  return (await findRealPath(above)) === directory ? above : directory;
}
