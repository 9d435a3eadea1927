import { sep } from 'node:path';
import { createNaming } from '../../base/naming.ts';
import type { OwnPlace } from '../../boundary/look/real-place.ts';
import { identityAt } from '../../boundary/open-boundary.ts';
import type { KeptPlaces } from '../../boundary/step/context.ts';
import { isInside } from '../../path/inside.ts';
import { looseKey } from '../../path/loose-key.ts';
import { hostPlatform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';
import { createRootIssue, type RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import { toPolicyLocation, type PolicyLocation } from '../../policy/decide.ts';
import type { RuledRoot } from '../../policy/rules/bind-rules.ts';
import { findSecretPlace, type PlacedRoot } from '../../policy/rules/secret-paths.ts';
import { narrowPlaces } from '../../policy/rules/narrow.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import { type RefusedPlace, refusePlaces } from '../../policy/rules/refuse-places.ts';
import { readRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { ownedBy, type Workspace } from '../../workspace/workspace.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Applies the permissions that a Rootward client sends with each root. They may narrow the operator's rules and
 * never widen them. A root inside the operator's directories narrows that part of them.
 */
export function narrowByClient(policy: Policy, open: Workspace, answer: RootsAnswer): Policy {
  const listed = answer.state === 'listed' ? answer.roots : [];
  // Remembered roots are among the open ones.
  const annotated = [...listed, ...open.roots.map(({ root }) => root)].filter(
    ({ meta }) => meta !== undefined,
  );
  if (annotated.length === 0) return policy;
  const places = annotated.flatMap(({ path, meta }) => {
    const permissions = readRootPermissions({ _meta: meta });
    const location = permissions && open.locate(path);
    return permissions === undefined || location === undefined
      ? []
      : [{ ...toPolicyLocation(location), permissions }];
  });
  return narrowPlaces(policy, places);
}

/**
 * Renames client roots that would take a name used by the operator. Rules refer to roots by name, and a client
 * chooses its own names. If the operator named directories, those names belong to the operator, even when two
 * roots of the same name would be told apart by a number.
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

/** The operator's directories under the names that rules use; a workspace numbers equal names in the same way. */
export function ruledCeiling(ceiling: readonly Root[]): readonly RuledRoot[] {
  const apart = createNaming();
  return ceiling.map(({ name, path }) => ({ name: apart(name), given: name, path }));
}

/** All roots that rules can refer to: the operator's directories and the roots outside of them. */
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

/** The same roots, with the paths by which their position is judged. */
export function placedRoots(
  { ceiling = [] }: Pick<Settings, 'ceiling'>,
  open: Workspace,
): readonly PlacedRoot[] {
  const spelled = new Map(open.roots.map(({ root, boundary }) => [root.path, boundary.spellings]));
  const pathsOf = (path: string): readonly string[] => [...new Set([path, ...(spelled.get(path) ?? [])])];
  const others = open.roots.filter((root) => root.ceiling === undefined);
  return [
    ...others.map(({ root: { name, path } }) => ({ name, paths: pathsOf(path), named: false })),
    ...ruledCeiling(ceiling).map(({ name, path }) => ({ name, paths: pathsOf(path), named: true })),
  ];
}

/** Says why a place cannot become a root unless the operator names it; `undefined` if it can. */
export function secretIssue(policy: Policy, { path, uri }: Root, real: string): RootIssue | undefined {
  const denial = findSecretPlace(policy, [path, real]);
  return (
    denial &&
    createRootIssue('secret-place', uri, { state: `${denial.reason}, so only the operator can name it` })
  );
}

type NamingRules = Pick<Settings, 'ceiling' | 'policy'>;

/** Places that are never reached, even if a client or the operator names them. */
export interface RefusedPlaces {
  /** Whether a path lies in one of them. */
  readonly covers: (path: string) => boolean;
  /** The same places for boundaries, which check them by identity. */
  readonly kept: KeptPlaces | undefined;
  /** Adds deny rules for these places in every open root. */
  readonly deny: (policy: Policy, open: Workspace) => Policy;
}

/**
 * Finds the real locations of the places that the operator refuses. A forbidden place is refused with everything
 * in it. Between a refused root and an operator's directory, the inner one decides. Fixed places can be read, and
 * so can links that lead to forbidden ones.
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
  // Of two equal paths the first wins, so a refusal beats a grant.
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
 * Finds refused paths that the disk treats as equal to a given one, in another case or Unicode form. It asks the
 * disk only if the two paths are alike.
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

/** Paths as named, and as the disk has them. */
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

/** Drops places that lie inside another one. */
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

/** The roots that lie inside a place that is refused as a whole. */
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
