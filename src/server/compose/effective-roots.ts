import { sep } from 'node:path';
import { createNaming } from '../../base/naming.ts';
import type { OwnPlace } from '../../boundary/look/real-place.ts';
import { identityAt } from '../../boundary/open-boundary.ts';
import type { KeptPlaces } from '../../boundary/step/context.ts';
import { isInside } from '../../path/inside.ts';
import { looseKey } from '../../path/loose-key.ts';
import { hostPlatform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';
import type { Root } from '../../path/root.ts';
import { toPolicyLocation, type PolicyLocation } from '../../policy/decide.ts';
import type { RuledRoot } from '../../policy/rules/bind-rules.ts';
import { narrowPlaces } from '../../policy/rules/narrow.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import { type RefusedPlace, refusePlaces } from '../../policy/rules/refuse-places.ts';
import { readRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { ownedBy, type Workspace } from '../../workspace/workspace.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * A client of ours says with each root what it permits there. It may say less than the operator, and never more.
 * A root that it names in the operator's directories narrows the rules for that part of them.
 */
export function narrowByClient(policy: Policy, open: Workspace, answer: RootsAnswer): Policy {
  const listed = answer.state === 'listed' ? answer.roots : [];
  // Roots that are remembered stand among those that are open.
  const said = [...listed, ...open.roots.map(({ root }) => root)].filter(({ meta }) => meta !== undefined);
  if (said.length === 0) return policy;
  const places = said.flatMap(({ path, meta }) => {
    const permissions = readRootPermissions({ _meta: meta });
    const location = permissions && open.locate(path);
    return permissions === undefined || location === undefined
      ? []
      : [{ ...toPolicyLocation(location), permissions }];
  });
  return narrowPlaces(policy, places);
}

/**
 * Rules go by the name of a root, and a client chooses the names of its own. Where the operator named
 * directories, the names of those and of the rules are the operator's: a client root that bears one gets
 * another, and so does one that would get it because two have the same.
 */
export function nameSafely(roots: readonly Root[], { ceiling, policy }: NamingRules): readonly Root[] {
  if (ceiling === undefined) return roots;
  const own = new Set(ceiling.map(({ path }) => path));
  const called = ruledCeiling(ceiling).flatMap(({ name, given }) => [name, given]);
  const reserved = new Set([...called, ...policy.roots.keys()]);
  const apart = createNaming(reserved);
  return roots.map((root) => {
    if (own.has(root.path)) return root;
    const name = apart(reserved.has(root.name) ? `${root.name} (client)` : root.name);
    return name === root.name ? root : { ...root, name };
  });
}

/** The operator's directories as rules see them: a workspace tells two of one name apart in the same way. */
export function ruledCeiling(ceiling: readonly Root[]): readonly RuledRoot[] {
  const apart = createNaming();
  return ceiling.map(({ name, path }) => ({ name: apart(name), given: name, path }));
}

/** All that rules may be about: the operator's directories, and what lies outside of them. */
export function ruledRoots(
  { ceiling = [] }: Pick<Settings, 'ceiling'>,
  roots: readonly Root[],
  open: Workspace,
): readonly RuledRoot[] {
  const given = new Map(roots.map(({ path, name }) => [path, name]));
  const others = open.roots.filter((root) => root.ceiling === undefined);
  return [
    ...ruledCeiling(ceiling),
    ...others.map(({ root: { name, path } }) => ({ name, given: given.get(path) ?? name, path })),
  ];
}

type NamingRules = Pick<Settings, 'ceiling' | 'policy'>;

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
export async function findRefusedPlaces(settings: RefusalSettings): Promise<RefusedPlaces> {
  const { ceiling = [], refused, forbidden, fixed } = settings;
  if (refused.length === 0 && forbidden.length === 0 && fixed.length === 0) return none;
  const find = async (paths: readonly string[]): Promise<SpelledPlaces> => {
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
  const found: RefusedPaths = {
    covers,
    paths: [...never.paths, ...hidden.paths],
    fixed: [...still.paths, ...linksOf(never), ...linksOf(still)],
  };
  return { covers, kept: keptOf(never, still), deny: (policy, open) => denyIn(policy, open, found) };
}

type RefusalSettings = Pick<Settings, 'ceiling' | 'refused' | 'forbidden' | 'fixed' | 'realPlaces'>;

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
interface SpelledPlaces {
  readonly places: readonly OwnPlace[];
  readonly paths: readonly string[];
}

function pathsOf(roots: readonly { readonly path: string }[]): readonly string[] {
  return roots.map(({ path }) => path);
}

function linksOf({ places }: SpelledPlaces): readonly string[] {
  return places.flatMap(({ links }) => links);
}

function indexOf(paths: readonly string[], value: string): ReturnType<typeof createRootIndex<string>> {
  return createRootIndex(
    paths.map((path) => [path, value] as const),
    { platform: hostPlatform },
  );
}

/** What lies in another one of them is held by that. */
function keptOf(never: SpelledPlaces, still: SpelledPlaces): KeptPlaces {
  const paths = [...new Set([...never.paths, ...still.paths])];
  const files = never.places.flatMap(({ file }) => file ?? []);
  return {
    paths: paths.filter((path) => !paths.some((other) => other !== path && isInside(other, path))),
    files: new Set(files.map(({ identity }) => identity)),
    linked: files.some(({ linked }) => linked),
  };
}

interface RefusedPaths extends Pick<RefusedPlaces, 'covers'> {
  readonly paths: readonly string[];
  readonly fixed: readonly string[];
}

function denyIn(policy: Policy, open: Workspace, { covers, paths, fixed }: RefusedPaths): Policy {
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
  return paths.flatMap((path) => open.locate(path) ?? []).map(toPolicyLocation);
}

function toReadable({ root, relative }: PolicyLocation): RefusedPlace {
  return { root, relative, readable: true };
}
