import { sep } from 'node:path';
import type { Location } from '../workspace/workspace.ts';
import type { PolicyLocation } from './decide.ts';

/** A location as rules see it: the name of the root, and `/` between names on every system. */
export function placeOf({ root, relative }: Location): PolicyLocation {
  return { root: root.name, relative: relative.replaceAll(sep, '/') };
}
