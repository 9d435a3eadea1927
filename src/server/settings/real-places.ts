import { answerWithin } from '../../base/wait.ts';
import { findOwnPlace, type OwnPlace } from '../../boundary/look/real-place.ts';
import { RootwardError } from '../../errors.ts';

/** Finds the real locations of places that are looked up repeatedly. */
export interface RealPlaces {
  /** In the order of the paths. A place that does not answer keeps its last location, or else the one in its name. */
  readonly find: (paths: readonly string[]) => Promise<readonly OwnPlace[]>;
}

interface PlaceLookup {
  readonly since: number;
  readonly asked: Promise<OwnPlace>;
}

/** Milliseconds that a disk may take. */
const usualPatience = 2_000;
/** Limit of parallel lookups, so that a queued one is not mistaken for a silent one. */
const atOnce = 64;

/** A disk that does not answer is asked once and not by every call, because such lookups cannot be cancelled. */
export function createRealPlaces(
  look: typeof findOwnPlace = findOwnPlace,
  patience: number = usualPatience,
): RealPlaces {
  const known = new Map<string, OwnPlace>();
  const open = new Map<string, PlaceLookup>();
  const ask = (path: string): PlaceLookup => {
    const asked = look(path)
      .catch((error: unknown) => {
        if (RootwardError.is(error)) return byName(path);
        throw error;
      })
      .then((place) => {
        known.set(path, place);
        return place;
      })
      .finally(() => open.delete(path));
    const begun = { since: performance.now(), asked };
    open.set(path, begun);
    return begun;
  };
  const find = async (path: string): Promise<OwnPlace> => {
    const { since, asked } = open.get(path) ?? ask(path);
    const left = patience - (performance.now() - since);
    const place = left > 0 ? await answerWithin(asked, left) : undefined;
    return place ?? known.get(path) ?? byName(path);
  };
  return {
    async find(paths) {
      const found: OwnPlace[] = [];
      for (let start = 0; start < paths.length; start += atOnce)
        found.push(...(await Promise.all(paths.slice(start, start + atOnce).map(find))));
      return found;
    },
  };
}

function byName(path: string): OwnPlace {
  return { real: path, links: [] };
}
