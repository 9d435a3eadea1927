import { matchMarker } from '../../../src/workspace/ecosystems/markers.ts';
import type { FoundMarkers } from '../../../src/workspace/project/find-markers.ts';

/** What a directory with these names holds: those that no table knows are the product's own. */
export function holding(...names: readonly string[]): FoundMarkers {
  const known = names.flatMap((name) => {
    const marker = matchMarker(name);
    return marker === undefined ? [] : [{ name, marker }];
  });
  return {
    product: names.filter((name) => matchMarker(name) === undefined),
    known: known.toSorted((one, other) => one.marker.rank - other.marker.rank),
  };
}
