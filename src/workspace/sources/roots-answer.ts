import type { RootIssue } from '../../path/root-issue.ts';
import type { ParsedRoots, Root } from '../../path/root.ts';

/** The state of the client's roots. There are five, because "none" has five meanings. */
export type RootsAnswer =
  /** The client was not asked yet. */
  | { readonly state: 'unasked' }
  /** The client cannot be asked. */
  | { readonly state: 'unsupported' }
  /** The client has no roots. `revoked`: it had some before, and revoked them. */
  | { readonly state: 'empty'; readonly revoked: boolean }
  /** The usable roots of its list; empty if no entry is usable. */
  | {
      readonly state: 'listed';
      readonly roots: readonly Root[];
      /** Entries that were repaired or dropped. */
      readonly issues?: readonly RootIssue[];
    }
  /**
   * The answer did not come or could not be read. `afterChange`: the roots known before are no longer valid.
   */
  | { readonly state: 'failed'; readonly afterChange: boolean; readonly reason: string };

/**
 * Returns the state that follows from a list, given the state before. An empty list after a full one revokes
 * the roots; so does one after a change that could not be read, because it is unknown what changed. A list
 * without usable entries is not empty: it lists nothing that can be reached.
 *
 * @example
 * ```ts
 * const first = answerList(parseRoots([{ uri: 'file:///app' }]), { state: 'unasked' });
 * first.state // → 'listed'
 * answerList(parseRoots([]), first) // → { state: 'empty', revoked: true }
 * answerList(parseRoots([]), { state: 'unasked' }) // → { state: 'empty', revoked: false }
 * answerList(parseRoots([{ uri: 'https://x.example' }]), first).roots // → []
 * ```
 */
export function answerList({ roots, issues }: ParsedRoots, before: RootsAnswer): RootsAnswer {
  if (issues.length > 0) return { state: 'listed', roots, issues };
  if (roots.length > 0) return { state: 'listed', roots };
  return { state: 'empty', revoked: hadRoots(before) };
}

/** Whether a state stands for roots that the client had, and may have lost. */
export function hadRoots(before: RootsAnswer): boolean {
  switch (before.state) {
    case 'unasked':
    case 'unsupported':
      return false;
    case 'empty':
      return before.revoked;
    case 'listed':
      return true;
    case 'failed':
      return before.afterChange;
  }
}
