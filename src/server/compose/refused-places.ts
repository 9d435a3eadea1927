import { sep } from 'node:path';
import type { KeptPlaces } from '../../boundary/step/context.ts';
import type { OwnPlace } from '../../boundary/look/real-place.ts';
import { identityAt } from '../../boundary/open-boundary.ts';
import { isInside } from '../../path/inside.ts';
import { looseKey } from '../../path/loose-key.ts';
import { hostPlatform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';
import type { PolicyLocation } from '../../policy/decide.ts';
import { placeOf } from '../../policy/place-of.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import { type RefusedPlace, refusePlaces } from '../../policy/rules/refuse-places.ts';
import { ownedBy, type Workspace } from '../../workspace/workspace.ts';
import type { Settings } from '../settings/settings.ts';

/** What is not reached, whoever names it. */
export interface RefusedPlaces {
  /** Whether a path lies in one of them. */
  readonly covers: (path: string) => boolean;
  /** What boundaries have to know of them, beside the rules. */
  readonly kept: KeptPlaces | undefined;
  /** The rules, with these places denied in every root that is open. */
  readonly deny: (policy: Policy, open: Workspace) => Policy;
}

/**
 * Looks where the places really are that the operator refuses. What is forbidden is so with everything beneath;
 * of a refused root and a directory of the operator that holds it or lies in it, the inner one decides. What is
 * fixed can be read; so can the links that lead to what is forbidden.
 */
export async function findRefusedPlaces(settings: Refusing): Promise<RefusedPlaces> {
  const { ceiling = [], refused, forbidden, fixed } = settings;
  if (refused.length === 0 && forbidden.length === 0 && fixed.length === 0) return none;
  const find = async (paths: readonly string[]): Promise<Spelled> => {
    const places = await settings.realPlaces.find(paths);
    return { places, paths: [...paths, ...places.map(({ real }) => real)] };
  };
  const [never, still, hidden, shown] = await Promise.all([
    find(forbidden),
    find(fixed),
    find(pathsOf(refused)),
    find(refused.length === 0 ? [] : pathsOf(ceiling)),
  ]);
  const always = indexOf(never.paths, 'refused');
  // Of two equal ones the first wins: a no goes before a yes.
  const innermost = createRootIndex(
    [
      ...hidden.paths.map((path) => [path, 'refused'] as const),
      ...shown.paths.map((path) => [path, 'shown'] as const),
    ],
    { platform: hostPlatform },
  );
  const isCovered = (path: string): boolean =>
    always.place(path) !== undefined || innermost.place(path)?.root === 'refused';
  const refusedAs = createSpellings([...never.paths, ...hidden.paths]);
  const covers = (path: string): boolean => isCovered(path) || refusedAs(path).some(isCovered);
  const found: Found = {
    covers,
    paths: [...never.paths, ...hidden.paths],
    fixed: [...still.paths, ...linksOf(never), ...linksOf(still)],
  };
  return { covers, kept: keptOf(never, still), deny: (policy, open) => denyIn(policy, open, found) };
}

type Refusing = Pick<Settings, 'ceiling' | 'refused' | 'forbidden' | 'fixed' | 'realPlaces'>;

const none: RefusedPlaces = { covers: () => false, kept: undefined, deny: (policy) => policy };

/**
 * The paths, as they were refused, of what is asked for in another case or Unicode form: where the disk leads both to
 * one directory. That is asked of the disk only where two paths are alike.
 */
function createSpellings(refused: readonly string[]): (path: string) => readonly string[] {
  const alike = createRootIndex(
    refused.map((path) => [looseKey(path), path] as const),
    { platform: hostPlatform },
  );
  return (path) => {
    const found = alike.place(looseKey(path));
    if (found === undefined) return [];
    const depth = found.root.split(sep).length;
    const names = path.split(sep);
    const above = names.slice(0, depth).join(sep);
    if (above === found.root) return [];
    const identity = identityAt(above);
    if (identity === undefined || identity !== identityAt(found.root)) return [];
    return [[found.root, ...names.slice(depth)].join(sep)];
  };
}

/** Paths as they are named, and as the disk has them. */
interface Spelled {
  readonly places: readonly OwnPlace[];
  readonly paths: readonly string[];
}

function pathsOf(roots: readonly { readonly path: string }[]): readonly string[] {
  return roots.map(({ path }) => path);
}

function linksOf({ places }: Spelled): readonly string[] {
  return places.flatMap(({ links }) => links);
}

function indexOf(paths: readonly string[], value: string): ReturnType<typeof createRootIndex<string>> {
  return createRootIndex(
    paths.map((path) => [path, value] as const),
    { platform: hostPlatform },
  );
}

/** What lies in another one of them is held by that. */
function keptOf(never: Spelled, still: Spelled): KeptPlaces {
  const paths = [...new Set([...never.paths, ...still.paths])];
  const files = never.places.flatMap(({ file }) => file ?? []);
  return {
    paths: paths.filter((path) => !paths.some((other) => other !== path && isInside(other, path))),
    files: new Set(files.map(({ identity }) => identity)),
    linked: files.some(({ linked }) => linked),
  };
}

interface Found extends Pick<RefusedPlaces, 'covers'> {
  readonly paths: readonly string[];
  readonly fixed: readonly string[];
}

function denyIn(policy: Policy, open: Workspace, { covers, paths, fixed }: Found): Policy {
  const still = indexOf(fixed, 'fixed');
  const isFixed = (path: string): boolean => still.place(path) !== undefined;
  return refusePlaces(policy, [
    ...rootsIn(open, covers),
    ...placesIn(open, paths),
    ...rootsIn(open, isFixed).map(toReadable),
    ...placesIn(open, fixed).map(toReadable),
  ]);
}

/** The roots that lie in something that is refused as a whole. */
function rootsIn(open: Workspace, isCovered: (path: string) => boolean): readonly PolicyLocation[] {
  return open.roots
    .filter(({ root, boundary }) => [root.path, ...boundary.spellings].some(isCovered))
    .map((root) => {
      const { name, relative } = ownedBy(root, '.');
      return { root: name, relative };
    });
}

function placesIn(open: Workspace, paths: readonly string[]): readonly PolicyLocation[] {
  return paths.flatMap((path) => open.locate(path) ?? []).map(placeOf);
}

function toReadable({ root, relative }: PolicyLocation): RefusedPlace {
  return { root, relative, readable: true };
}
