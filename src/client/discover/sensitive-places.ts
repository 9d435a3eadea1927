import { lookAt } from '../../boundary/look/look-at.ts';
import { isInside } from '../../path/inside.ts';
import type { Platform } from '../../path/platform.ts';
import { type SensitivePlace, sensitivePlaces } from './root-finding-places.ts';

/** A sensitive place as it is on this disk. */
export interface RealPlace {
  readonly what: string;
  /** As the table has it. */
  readonly path: string;
  /** Without links; as the table has it where nothing is there. */
  readonly real: string;
  readonly exists: boolean;
  /** Whether Rootward itself keeps something there. */
  readonly isOwn: boolean;
}

/** Somebody whose places these are. */
export interface PlacesOwner {
  readonly home: string;
  readonly platform: Platform;
  /** What Rootward keeps for them. */
  readonly own: readonly string[];
}

/** Where the places of the table really are: somebody may keep `~/.ssh` elsewhere, behind a link. */
export async function readPlaces({ home, platform, own }: PlacesOwner): Promise<readonly RealPlace[]> {
  const ofRootward = own.map((path) => ({ path, what: 'Rootward keeps there what it decides by' }));
  const [ours, others] = await Promise.all([
    Promise.all(ofRootward.map((place) => readPlace(place, true))),
    Promise.all(sensitivePlaces(home, platform).map((place) => readPlace(place, false))),
  ]);
  return [...ours, ...others];
}

async function readPlace({ path, what }: SensitivePlace, isOwn: boolean): Promise<RealPlace> {
  const look = await lookAt(path);
  const exists = !('refused' in look) || look.refused === 'no-permission';
  return { what, path, real: 'refused' in look ? path : look.real, exists, isOwn };
}

/** The sensitive place that a path is or lies in, by both spellings of that place. */
export function findSensitive(
  real: string,
  places: readonly RealPlace[],
  platform: Platform,
): RealPlace | undefined {
  const isIn = (top: string): boolean => isInside(top, real, { platform });
  return places.find((place) => isIn(place.real) || (place.path !== place.real && isIn(place.path)));
}

/**
 * Sensitive places within a path, those that exist, without those in another one. Places of Rootward count before
 * they are made: a server that could make them would decide what is in them.
 */
export function sensitiveWithin(
  real: string,
  places: readonly RealPlace[],
  platform: Platform,
): readonly RealPlace[] {
  const within = places.filter(
    (place) => (place.exists || place.isOwn) && isInside(real, place.real, { platform }),
  );
  return within.filter(
    (place) =>
      !within.some((other) => other.real !== place.real && isInside(other.real, place.real, { platform })),
  );
}
