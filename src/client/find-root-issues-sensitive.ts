import { lookAt } from '../boundary/look-at.ts';
import { isInside } from '../path/inside.ts';
import type { Platform } from '../path/platform.ts';
import { sensitivePlaces } from './root-finding-places.ts';

/** A sensitive place as it is on this disk. */
export interface RealPlace {
  readonly what: string;
  /** As the table has it. */
  readonly path: string;
  /** Without links; as the table has it where nothing is there. */
  readonly real: string;
  readonly exists: boolean;
}

/** Where the places of the table really are: somebody may keep `~/.ssh` elsewhere, behind a link. */
export async function readPlaces(home: string, platform: Platform): Promise<readonly RealPlace[]> {
  return Promise.all(
    sensitivePlaces(home, platform).map(async ({ path, what }) => {
      const look = await lookAt(path);
      const exists = !('refused' in look) || look.refused === 'no-permission';
      return { what, path, real: 'refused' in look ? path : look.real, exists };
    }),
  );
}

/** The sensitive place that a path is or lies in, by both spellings of that place. */
export function findSensitive(
  real: string,
  places: readonly RealPlace[],
  platform: Platform,
): RealPlace | undefined {
  return places.find((place) => [place.real, place.path].some((top) => isInside(top, real, { platform })));
}

/** Sensitive places within a path, those that exist. */
export function sensitiveWithin(
  real: string,
  places: readonly RealPlace[],
  platform: Platform,
): readonly RealPlace[] {
  return places.filter((place) => place.exists && isInside(real, place.real, { platform }));
}
