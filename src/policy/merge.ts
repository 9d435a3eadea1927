import type { NameRules } from '../path/fold.ts';
import { hostPlatform } from '../path/platform.ts';
import type { Root } from '../path/root.ts';
import type { RootsAnswer } from '../workspace/sources/roots-answer.ts';
import { combineRoots, type EffectiveRoot } from './combine-roots.ts';
import { explainOutcome, type MergeMode, outcomeOf } from './merge-outcome.ts';

/** What counts, and why. `detected`: the project that detection finds, if it finds one. */
export type Merged =
  | { readonly kind: 'roots'; readonly roots: readonly EffectiveRoot[]; readonly why: string }
  | { readonly kind: 'detected'; readonly why: string }
  | { readonly kind: 'nothing'; readonly why: string };

/**
 * Makes one list of what the operator named (the ceiling, `undefined` if nothing was named) and what the
 * client answered. By default stdio uses `union` and HTTP `intersect`, where a client can never widen.
 *
 * Containment counts, not equality: of `/srv` and `/srv/app` the intersection is `/srv/app`. It is told from
 * the text of the paths, so both sides must be spelled in the same way; see `EffectiveRoot` for links.
 *
 * @example
 * ```ts
 * const ceiling = parseRoots(['file:///srv'], { platform: 'posix' }).roots;
 * const { roots } = parseRoots(['file:///srv/app', 'file:///etc'], { platform: 'posix' });
 * const merged = merge(ceiling, { state: 'listed', roots }, 'intersect', { platform: 'posix' });
 * merged.roots.map(({ path }) => path) // → ['/srv/app']
 * merged.roots[0].ceiling // → { root: 'srv', relative: 'app' }
 * merge(undefined, { state: 'listed', roots }, 'intersect').kind // → 'nothing'
 * ```
 */
export function merge(
  ceiling: readonly Root[] | undefined,
  answer: RootsAnswer,
  mode: MergeMode,
  rules: NameRules = { platform: hostPlatform },
): Merged {
  const outcome = outcomeOf(ceiling !== undefined, answer, mode);
  const why = explainOutcome(outcome, answer, mode);
  if (outcome === 'detected' || outcome === 'nothing') return { kind: outcome, why };
  const listed = answer.state === 'listed' ? answer.roots : [];
  const roots = combineRoots(outcome, { ceiling: ceiling ?? [], listed }, rules);
  return roots.length > 0
    ? { kind: 'roots', roots, why }
    : { kind: 'nothing', why: `${why}, and there are none` };
}
