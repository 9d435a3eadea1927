import { quote } from '../base/quote.ts';
import { nameKey, type NameRules } from '../path/fold.ts';
import { hostPlatform } from '../path/platform.ts';
import { createRootIndex, type RootIndex } from '../path/root-index.ts';
import type { Root } from '../path/root.ts';
import { separatorOf } from '../path/split-path.ts';
import { describeDropped, type RootsAnswer, wholeIn } from '../workspace/sources/roots-answer.ts';
import type { PolicyLocation } from './decide.ts';

/** The effective roots, with an explanation. `detected`: the project that detection finds, if any. */
export type Merged =
  | { readonly kind: 'roots'; readonly roots: readonly EffectiveRoot[]; readonly why: string }
  | { readonly kind: 'detected'; readonly why: string }
  | { readonly kind: 'nothing'; readonly why: string };

/**
 * Combines the directories that the operator named (the ceiling; `undefined` if none) with the roots that the
 * client answered. By default stdio uses `union`, and HTTP `intersect`, in which a client can never widen
 * access.
 *
 * Containment counts, not equality: the intersection of `/srv` and `/srv/app` is `/srv/app`. Paths are
 * compared as text, so both sides must use the same spelling; see `EffectiveRoot` for links.
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
  const sides = { ceiling: ceiling ?? [], listed, covered: wholeIn(answer, rules.platform) };
  const roots = combineRoots(outcome, sides, rules);
  return roots.length > 0
    ? { kind: 'roots', roots, why }
    : { kind: 'nothing', why: `${why}, and there are none` };
}

/** Which side determines the roots. */
export type MergeMode = 'union' | 'intersect' | 'client' | 'operator';

export const mergeModes: readonly MergeMode[] = ['union', 'intersect', 'client', 'operator'];

export type MergeOutcome = RootCombination | 'detected' | 'nothing';

/** The distinguished answers of a client. */
type AnswerCase =
  | 'not-askable'
  | 'listed'
  | 'empty'
  | 'unusable'
  | 'too-broad'
  | 'revoked'
  | 'failed'
  | 'failed-after-change';

/** The outcome if the operator named directories, and if not. */
type Cell = readonly [named: MergeOutcome, noneNamed: MergeOutcome];

const outcomes: { readonly [Mode in MergeMode]: { readonly [Case in AnswerCase]: Cell } } = {
  union: {
    'not-askable': ['those', 'detected'],
    listed: ['those ∪ listed', 'listed'],
    empty: ['those', 'detected'],
    unusable: ['those', 'detected'],
    'too-broad': ['those', 'nothing'],
    revoked: ['those', 'nothing'],
    failed: ['those', 'detected'],
    'failed-after-change': ['those', 'nothing'],
  },
  intersect: {
    'not-askable': ['those', 'nothing'],
    listed: ['those ∩ listed', 'nothing'],
    empty: ['those', 'nothing'],
    unusable: ['those', 'nothing'],
    'too-broad': ['those ∩ listed', 'nothing'],
    revoked: ['nothing', 'nothing'],
    failed: ['those', 'nothing'],
    'failed-after-change': ['nothing', 'nothing'],
  },
  client: {
    'not-askable': ['nothing', 'nothing'],
    listed: ['listed', 'listed'],
    empty: ['nothing', 'nothing'],
    unusable: ['nothing', 'nothing'],
    'too-broad': ['nothing', 'nothing'],
    revoked: ['nothing', 'nothing'],
    failed: ['nothing', 'nothing'],
    'failed-after-change': ['nothing', 'nothing'],
  },
  operator: {
    'not-askable': ['those', 'detected'],
    listed: ['those', 'detected'],
    empty: ['those', 'detected'],
    unusable: ['those', 'detected'],
    'too-broad': ['those', 'detected'],
    revoked: ['those', 'detected'],
    failed: ['those', 'detected'],
    'failed-after-change': ['those', 'detected'],
  },
};

/** Returns the outcome of a mode, before the roots themselves are considered. */
export function outcomeOf(named: boolean, answer: RootsAnswer, mode: MergeMode): MergeOutcome {
  const [whereNamed, whereNone] = outcomes[mode][caseOf(answer)];
  return named ? whereNamed : whereNone;
}

/** Explains the outcome in a sentence for a person. */
export function explainOutcome(outcome: MergeOutcome, answer: RootsAnswer, mode: MergeMode): string {
  return `${mode}: ${caseWords[caseOf(answer)]}${detailOf(answer)}, so ${outcomeWords[outcome]}`;
}

function detailOf(answer: RootsAnswer): string {
  if (answer.state === 'failed') return ` (${quote(answer.reason)})`;
  const dropped = answer.state === 'empty' ? describeDropped(answer.issues) : '';
  return dropped === '' ? '' : ` (${dropped})`;
}

function caseOf(answer: RootsAnswer): AnswerCase {
  switch (answer.state) {
    case 'unasked':
    case 'unsupported':
      return 'not-askable';
    case 'listed':
      return answer.roots.length === 0 ? 'too-broad' : 'listed';
    case 'empty':
      return answer.revoked ? 'revoked' : answer.issues === undefined ? 'empty' : 'unusable';
    case 'failed':
      return answer.afterChange ? 'failed-after-change' : 'failed';
  }
}

const caseWords: { readonly [Case in AnswerCase]: string } = {
  'not-askable': 'the client was not asked or cannot be',
  listed: 'the client listed roots',
  empty: 'the client has no roots',
  unusable: 'no root of the client can be used',
  'too-broad': 'the client listed a whole file system',
  revoked: 'the client took its roots back',
  failed: 'the client did not answer',
  'failed-after-change': 'the client changed its roots and did not answer',
};

const outcomeWords: { readonly [Name in MergeOutcome]: string } = {
  those: "the operator's directories count",
  listed: "the client's roots count",
  'those ∪ listed': "the operator's directories and the client's roots count",
  'those ∩ listed': "what lies in the operator's directories and in the client's roots counts",
  detected: 'the detected project counts',
  nothing: 'nothing counts',
};

/** A root that is in effect. */
export interface EffectiveRoot extends Root {
  /**
   * The position in a directory of the operator, if the client named a root beneath one. The rules of that
   * directory apply: `openWorkspace` with the same ceiling reaches the root through it. Otherwise a client
   * could bypass a deny rule by naming a path beneath it, or leave through a link.
   */
  readonly ceiling?: PolicyLocation;
}

/** Whose roots are used: the operator's, the client's, all of them, or the intersection. */
export type RootCombination = 'those' | 'listed' | 'those ∪ listed' | 'those ∩ listed';

export interface MergeSides {
  /** The directories that the operator allows at most. */
  readonly ceiling: readonly Root[];
  /** The roots that the client named. */
  readonly listed: readonly Root[];
  /** Whole file systems that the client named; they add nothing, and contain directories of the operator. */
  readonly covered?: readonly string[];
}

/**
 * Combines the roots of both sides by the text of their paths. A place that both name becomes one root, the
 * operator's. A root beneath another one stays, because the longest match wins when a path is located.
 */
export function combineRoots(
  combination: RootCombination,
  { ceiling, listed, covered = [] }: MergeSides,
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
      const named = [...listed.map(({ path }) => path), ...covered];
      const index = createRootIndex(
        named.map((path) => [path, path] as const),
        rules,
      );
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

/** Returns the operator's root for the same place, or the client's root with its position in the ceiling. */
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
