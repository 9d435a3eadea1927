import { join } from 'node:path';
import { RootwardError } from '../../errors.ts';
import { findDanger, type DangerRule, type MachinePlaces } from '../../workspace/chain/danger.ts';
import { realDisk } from '../../workspace/chain/real-disk.ts';
import { surroundings } from '../../workspace/chain/resolve-workspace.ts';
import { findRealPath } from '../../workspace/project/open-place.ts';
import { findSensitive, ownPlaces, readPlaces, type LocatedSensitive } from './sensitive-places.ts';

/** Keeps a search out of system directories, and sensitive places out of its results. */
export interface DiscoverGuard {
  /** @throws {RootwardError} `TOO_BROAD` */
  requireSearchable(directory: string): Promise<void>;
  /** Tells whether a directory may be proposed, by its real path. */
  mayPropose(real: string): boolean;
}

export async function createDiscoverGuard(known: Partial<MachinePlaces> = {}): Promise<DiscoverGuard> {
  const around = await surroundings(realDisk, known);
  const { home = '', platform } = around;
  const places = await readPlaces({ home, platform, own: ownPlaces() });
  return {
    async requireSearchable(directory) {
      const real = (await findRealPath(directory)) ?? directory;
      const reason = refuseSearch(directory, around, places) ?? refuseSearch(real, around, places);
      if (reason !== undefined)
        throw new RootwardError('TOO_BROAD', { verb: 'search', path: directory, reason });
    },
    mayPropose: (real) =>
      findDanger(real, around) === undefined && findSensitive(real, places, around.platform) === undefined,
  };
}

/** Directories that are never searched, because no project belongs there. */
const neverSearched: ReadonlySet<DangerRule> = new Set<DangerRule>(['file-system', 'above-home']);

/**
 * Allows searching home, `/srv` or `/tmp`: they are not projects, but may contain some. The test is whether a child
 * could be one.
 */
function refuseSearch(
  directory: string,
  around: MachinePlaces,
  places: readonly LocatedSensitive[],
): string | undefined {
  const sensitive = findSensitive(directory, places, around.platform);
  if (sensitive !== undefined) return sensitive.what;
  const danger = findDanger(directory, around);
  if (danger === undefined) return undefined;
  if (neverSearched.has(danger.rule)) return danger.reason;
  return findDanger(join(directory, 'x'), around)?.reason;
}
