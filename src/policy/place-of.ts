import { sep } from 'node:path';
import { type Location, ownedBy } from '../workspace/workspace.ts';
import type { PolicyLocation } from './decide.ts';

/** A location as rules see it: from the root whose rules hold, with `/` between names on every system. */
export function placeOf(location: Location): PolicyLocation {
  const { name, relative } = ownedBy(location, location.relative.replaceAll(sep, '/'));
  return { root: name, relative };
}
