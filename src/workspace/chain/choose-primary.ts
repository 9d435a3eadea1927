import { isInside } from '../../path/inside.ts';
import type { Platform } from '../../path/platform.ts';
import type { UsablePlace } from './judge-place.ts';
import type { Profile } from '../sources/profile.ts';
import type { Signals } from '../sources/signals.ts';
import { clientEnv } from '../sources/client-env.ts';

export interface Primary {
  readonly place: UsablePlace;
  /** Why this one, as the end of a sentence. */
  readonly reason: string;
  /** Nothing told it from the others: it is merely the first. */
  readonly arbitrary: boolean;
}

/** Of several roots the one that the client's variable names, else the one that holds the current directory, else the first. */
export function choosePrimary(
  places: readonly [UsablePlace, ...UsablePlace[]],
  signals: Signals,
  profile: Profile | undefined,
  platform: Platform,
): Primary {
  const [first, ...others] = places;
  if (others.length === 0) return { place: first, reason: 'it is the only one', arbitrary: false };
  const byEnv = placesNamedBy(signals, profile, places, platform);
  if (byEnv !== undefined)
    return { place: byEnv, reason: 'a variable of the client names it', arbitrary: false };
  const holding = places.filter(
    ({ path }) => signals.cwd !== undefined && isInside(path, signals.cwd, { platform }),
  );
  const [deepest] = holding.toSorted((one, other) => other.path.length - one.path.length);
  if (deepest !== undefined)
    return { place: deepest, reason: 'it holds the current directory', arbitrary: false };
  return { place: first, reason: `it is the first of ${places.length}`, arbitrary: true };
}

function placesNamedBy(
  signals: Signals,
  profile: Profile | undefined,
  places: readonly UsablePlace[],
  platform: Platform,
): UsablePlace | undefined {
  const offer = clientEnv.offer(signals, profile);
  if ('none' in offer || offer.places.length !== 1) return undefined;
  const named = offer.places[0]?.text ?? '';
  return places.find(
    ({ path }) => isInside(path, named, { platform }) && isInside(named, path, { platform }),
  );
}
