import { join } from 'node:path';
import { RootwardError } from '../../errors.ts';
import { findDanger, type DangerRule, type MachinePlaces } from '../../workspace/chain/danger.ts';
import { realDisk } from '../../workspace/chain/real-disk.ts';
import { surroundings } from '../../workspace/chain/resolve-workspace.ts';
import { findRealPath } from '../../workspace/project/open-place.ts';
import { findSensitive, ownPlaces, readPlaces, type LocatedSensitive } from './sensitive-places.ts';

/** Keeps a search from places where nobody's projects are, and from proposing what is not for sharing. */
export interface DiscoverGuard {
  /** @throws {RootwardError} `TOO_BROAD` */
  requireSearchable(directory: string): Promise<void>;
  /** Whether a place may be proposed, by its real path. */
  mayPropose(real: string): boolean;
}

export async function createDiscoverGuard(told: Partial<MachinePlaces> = {}): Promise<DiscoverGuard> {
  const around = await surroundings(realDisk, told);
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

/** No project is searched for there, however much somebody wants to. */
const neverSearched: ReadonlySet<DangerRule> = new Set<DangerRule>(['file-system', 'above-home']);

/**
 * Home, `/srv` or `/tmp` are no projects but hold some, and may be searched: what counts is whether something
 * in them could be one.
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
