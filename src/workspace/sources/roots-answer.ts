import type { Platform } from '../../path/platform.ts';
import { readRootUri } from '../../path/read-root-uri.ts';
import { createRootIssue, type RootIssue } from '../../path/root-issue.ts';
import type { ParsedRoots, Root } from '../../path/root.ts';

/** The state of the client's roots. There are five, because "none" has five meanings. */
export type RootsAnswer =
  /** The client was not asked yet. */
  | { readonly state: 'unasked' }
  /** The client cannot be asked. */
  | { readonly state: 'unsupported' }
  /** The client has no usable roots. `revoked`: it had some before, and revoked them. */
  | {
      readonly state: 'empty';
      readonly revoked: boolean;
      /** The entries of its list, if it is not empty: none of them can be used. */
      readonly issues?: readonly RootIssue[];
      /** The first of those that do not exist. They count once they do. */
      readonly missing?: readonly Root[];
    }
  /** The usable roots of its list; none if it names whole file systems only. */
  | {
      readonly state: 'listed';
      readonly roots: readonly Root[];
      /** Entries that were repaired or dropped. */
      readonly issues?: readonly RootIssue[];
      /** The client had listed roots before. */
      readonly again?: true;
      /** At least one of them was found on the disk, or none of them may be looked for there. */
      readonly looked?: true;
    }
  /**
   * The answer did not come or could not be read. `afterChange`: the roots known before are no longer valid.
   */
  | { readonly state: 'failed'; readonly afterChange: boolean; readonly reason: string };

/**
 * Returns the state that follows from a list, given the state before. A list without usable entries counts like an
 * empty one. Such a list after a full one revokes the roots; so does one after a change that could not be read,
 * because it is unknown what changed. A whole file system is not usable, but the client did not take anything back
 * by naming it.
 *
 * @example
 * ```ts
 * const first = answerList(parseRoots([{ uri: 'file:///app' }]), { state: 'unasked' });
 * first.state // → 'listed'
 * answerList(parseRoots([]), first) // → { state: 'empty', revoked: true }
 * answerList(parseRoots([]), { state: 'unasked' }) // → { state: 'empty', revoked: false }
 * answerList(parseRoots([{ uri: 'https://x.example' }]), first).revoked // → true
 * answerList(parseRoots([{ uri: 'file:///' }]), first).state // → 'listed'
 * ```
 */
export function answerList({ roots, issues: found }: ParsedRoots, before: RootsAnswer): RootsAnswer {
  const issues = found.length === 0 ? {} : { issues: firstIssues(found) };
  const had = hadRoots(before);
  if (roots.length === 0 && !found.some(isWhole)) return { state: 'empty', revoked: had, ...issues };
  return { state: 'listed', roots, ...issues, ...(had && { again: true }) };
}

/** The paths of the whole file systems that a list names. They are not roots, but they cover what lies in them. */
export function wholeIn(answer: RootsAnswer, platform: Platform): readonly string[] {
  if (answer.state !== 'listed' || answer.issues === undefined) return [];
  return answer.issues
    .filter(isWhole)
    .flatMap(({ entry }) => readRootUri(entry, { platform, whole: true }).path ?? []);
}

function isWhole({ code }: RootIssue): boolean {
  return code === 'whole-file-system';
}

/** Names dropped entries with their reasons, as the end of a sentence; empty if none was dropped. */
export function describeDropped(issues: readonly RootIssue[] = []): string {
  const dropped = issues.filter(({ effect }) => effect === 'dropped');
  const told = dropped.slice(0, mostTold).map(({ message }) => message.replace(/^Cannot use root /, ''));
  const more = dropped.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Dropped entries that a sentence names; the findings themselves name all. */
const mostTold = 8;

/** Findings that are kept, because a client chooses how many entries it sends. */
const mostIssues = 256;

/** Returns the first findings, with one more that says how many are left out. Whole file systems come first. */
export function firstIssues(issues: readonly RootIssue[]): readonly RootIssue[] {
  if (issues.length <= mostIssues) return issues;
  const sorted = [...issues.filter(isWhole), ...issues.filter((issue) => !isWhole(issue))];
  const left = `${issues.length - mostIssues + 1} more entries`;
  return [...sorted.slice(0, mostIssues - 1), createRootIssue('too-many', left)];
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
