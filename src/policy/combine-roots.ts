import { nameKey, type NameRules } from '../path/fold.ts';
import { createRootIndex, type RootIndex } from '../path/root-index.ts';
import type { Root } from '../path/root.ts';
import { separatorOf } from '../path/split-path.ts';
import type { PolicyLocation } from './decide.ts';

/** A root that counts. */
export interface EffectiveRoot extends Root {
  /**
   * Where it lies in a directory of the operator, if the client named it beneath one. The rules are those of
   * that place: `openWorkspace` with the same ceiling reaches the root through the operator's directory and
   * asks its rules. Otherwise a client would step over a deny rule by naming what is beneath it, or leave
   * through a link.
   */
  readonly ceiling?: PolicyLocation;
}

/** Whose roots are taken: the operator's, the client's, all of them, or what both hold. */
export type Combination = 'those' | 'listed' | 'those ∪ listed' | 'those ∩ listed';

export interface Sides {
  /** What the operator allows at most. */
  readonly ceiling: readonly Root[];
  /** What the client named. */
  readonly listed: readonly Root[];
}

/**
 * Combines the roots of both sides, by the text of their paths. A place named twice is one root, and it is the
 * operator's; a root beneath another one stays, because the longest match wins when a path is placed.
 */
export function combineRoots(
  combination: Combination,
  { ceiling, listed }: Sides,
  rules: NameRules,
): readonly EffectiveRoot[] {
  const operators = indexOf(ceiling, rules);
  const clients = listed.map((root) => placeInCeiling(root, operators, rules));
  switch (combination) {
    case 'those':
      return distinct(ceiling, rules);
    case 'listed':
      return distinct(clients, rules);
    case 'those ∪ listed':
      return distinct([...ceiling, ...clients], rules);
    case 'those ∩ listed': {
      const index = indexOf(listed, rules);
      const within = clients.filter(({ path }) => operators.place(path) !== undefined);
      return distinct([...within, ...ceiling.filter(({ path }) => index.place(path) !== undefined)], rules);
    }
  }
}

function indexOf(roots: readonly Root[], rules: NameRules): RootIndex<Root> {
  return createRootIndex(
    roots.map((root) => [root.path, root] as const),
    rules,
  );
}

/** The operator's root of the same place, or the client's with the way to it. */
function placeInCeiling(root: Root, operators: RootIndex<Root>, { platform }: NameRules): EffectiveRoot {
  const placement = operators.place(root.path);
  if (placement === undefined) return root;
  if (placement.relative === '.') return placement.root;
  const relative = placement.relative.replaceAll(separatorOf(platform), '/');
  return { ...root, ceiling: { root: placement.root.name, relative } };
}

function distinct(roots: readonly EffectiveRoot[], rules: NameRules): readonly EffectiveRoot[] {
  const key = nameKey(rules);
  const places = new Map<string, EffectiveRoot>();
  for (const root of roots) {
    const place = key(root.path);
    if (!places.has(place)) places.set(place, root);
  }
  return [...places.values()];
}
