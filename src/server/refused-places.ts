import { hostPlatform } from '../path/platform.ts';
import { createRootIndex } from '../path/root-index.ts';
import { placeOf } from '../policy/place-of.ts';
import type { Policy } from '../policy/policy.ts';
import { refusePlaces } from '../policy/refuse-places.ts';
import { type OpenRoot, ownedBy, type Workspace } from '../workspace/workspace.ts';
import type { Settings } from './settings.ts';

/** What is not reached, whoever names it. */
export interface RefusedPlaces {
  /** Whether a path lies in one of them. */
  readonly covers: (path: string) => boolean;
  /** The rules, with these places denied in every root that is open. */
  readonly deny: (policy: Policy, open: Workspace) => Policy;
}

/**
 * Looks where the places really are that the operator refuses. What is forbidden is so with everything beneath;
 * of a refused root and a directory of the operator that holds it or lies in it, the inner one decides.
 */
export async function findRefusedPlaces(settings: Refusing): Promise<RefusedPlaces> {
  const { ceiling = [], refused, forbidden } = settings;
  if (refused.length === 0 && forbidden.length === 0) return none;
  // As they are named, and as the disk has them.
  const spell = async (paths: readonly string[]): Promise<readonly string[]> => [
    ...paths,
    ...(await settings.realPlaces.find(paths)),
  ];
  const never = await spell(forbidden);
  const hidden = await spell(pathsOf(refused));
  const shown = await spell(refused.length === 0 ? [] : pathsOf(ceiling));
  const always = indexOf(never, 'refused');
  // Of two equal ones the first wins: a no goes before a yes.
  const innermost = createRootIndex(
    [...hidden.map((path) => [path, 'refused'] as const), ...shown.map((path) => [path, 'shown'] as const)],
    { platform: hostPlatform },
  );
  const covers = (path: string): boolean =>
    always.place(path) !== undefined || innermost.place(path)?.root === 'refused';
  return { covers, deny: (policy, open) => denyIn(policy, open, { covers, paths: [...never, ...hidden] }) };
}

type Refusing = Pick<Settings, 'ceiling' | 'refused' | 'forbidden' | 'realPlaces'>;

const none: RefusedPlaces = { covers: () => false, deny: (policy) => policy };

function pathsOf(roots: readonly { readonly path: string }[]): readonly string[] {
  return roots.map(({ path }) => path);
}

function indexOf(paths: readonly string[], value: string): ReturnType<typeof createRootIndex<string>> {
  return createRootIndex(
    paths.map((path) => [path, value] as const),
    { platform: hostPlatform },
  );
}

interface Found extends Pick<RefusedPlaces, 'covers'> {
  readonly paths: readonly string[];
}

function denyIn(policy: Policy, open: Workspace, { covers, paths }: Found): Policy {
  const isCovered = ({ root, boundary }: OpenRoot): boolean =>
    [root.path, ...boundary.spellings].some(covers);
  const whole = open.roots.filter(isCovered).map((root) => {
    const { name, relative } = ownedBy(root, '.');
    return { root: name, relative };
  });
  const parts = paths.flatMap((path) => open.locate(path) ?? []).map(placeOf);
  return refusePlaces(policy, [...whole, ...parts]);
}
