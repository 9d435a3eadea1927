import type { RootIssue } from '../../path/root-issue.ts';
import type { ParsedRoots, Root } from '../../path/root.ts';

/** The state of the client's roots. There are five, because "none" has five meanings. */
export type RootsAnswer =
  /** The client was not asked so far. */
  | { readonly state: 'unasked' }
  /** The client cannot be asked. */
  | { readonly state: 'unsupported' }
  /** The client has none to name. `revoked`: it had before, and took them back. */
  | { readonly state: 'empty'; readonly revoked: boolean }
  /** The roots that could be read from its list; none if not one of its entries could. */
  | {
      readonly state: 'listed';
      readonly roots: readonly Root[];
      /** Entries that were repaired or dropped while reading it. */
      readonly issues?: readonly RootIssue[];
    }
  /** The answer did not come or could not be read. `afterChange`: what was known before holds no more. */
  | { readonly state: 'failed'; readonly afterChange: boolean; readonly reason: string };

/**
 * The answer that follows from a list that was sent, given what was known before. An empty list after a full
 * one takes the roots back; so does one after a change that could not be read, because what changed is
 * unknown. A list with entries of which none is usable is not empty: it lists nothing that can be reached.
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

/** Whether an answer stands for roots that the client had, and may have lost. */
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
