import { Turns } from '../../base/turns.ts';
import { isRootAt } from '../../boundary/open-boundary.ts';
import { hostPlatform } from '../../path/platform.ts';
import { createRootIndex } from '../../path/root-index.ts';
import { createRootIssue, type RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import type { MergeMode } from '../../policy/merge.ts';
import { describeDropped, firstIssues, type RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import type { Trace, TracedConnection } from '../settings/trace-event.ts';

export interface AnswerScope {
  readonly mode: MergeMode;
  /** The operator's directories. */
  readonly ceiling: readonly Root[] | undefined;
}

/**
 * Looks once whether the roots of a new list exist: if none does, the list counts like an empty one. A short list
 * stays whole, because a directory may appear later; of a list of thousands the first roots that exist are kept.
 * Where a client cannot widen, a place outside the operator's directories is never looked at, so that the client
 * does not learn what is there.
 *
 * Returns the answer itself if nothing is new.
 */
export async function usableAnswer(answer: RootsAnswer, scope: AnswerScope): Promise<RootsAnswer> {
  const roots = unlookedIn(answer);
  if (roots.length === 0 || scope.mode === 'operator') return answer;
  const { usable, missing } = await lookAt(roots, scope);
  if (usable.size === 0) return asEmpty(answer, missing);
  if (roots.length <= mostKept) return asListed(answer, roots, []);
  const waiting = new Set(missing.slice(0, mostMissing));
  const kept = roots.filter((root) => usable.has(root) || waiting.has(root));
  return asListed(answer, kept, describeLeft(roots, kept, missing));
}

/** Roots of a list that are looked at. */
const mostLooked = 10_000;

/** Roots that are kept, as many as a workspace opens. */
const mostKept = 256;

/** Missing roots that are kept, in case that they appear. */
const mostMissing = 64;

function unlookedIn(answer: RootsAnswer): readonly Root[] {
  if (answer.state === 'listed') return answer.looked === true ? [] : answer.roots;
  return answer.state === 'empty' ? (answer.missing ?? []) : [];
}

interface LookedRoots {
  readonly usable: ReadonlySet<Root>;
  readonly missing: readonly Root[];
}

/** Looks in turns, so that other calls go on. In a short list the first usable root is enough. */
async function lookAt(roots: readonly Root[], scope: AnswerScope): Promise<LookedRoots> {
  const mayLook = createLookRule(scope);
  const turns = new Turns();
  const enough = roots.length <= mostKept ? 1 : mostKept;
  const usable = new Set<Root>();
  const missing: Root[] = [];
  for (const root of roots.slice(0, mostLooked)) {
    if (usable.size === enough) break;
    if (turns.isOver) await turns.next();
    if (!mayLook(root.path) || isRootAt(root.path)) usable.add(root);
    else missing.push(root);
  }
  return { usable, missing };
}

function createLookRule({ mode, ceiling = [] }: AnswerScope): (path: string) => boolean {
  if (mode !== 'intersect') return () => true;
  const index = createRootIndex(
    ceiling.map(({ path }) => [path, path] as const),
    { platform: hostPlatform },
  );
  return (path) => index.place(path) !== undefined;
}

/** The findings about roots that are not kept. */
function describeLeft(
  roots: readonly Root[],
  kept: readonly Root[],
  missing: readonly Root[],
): readonly RootIssue[] {
  const gone = missing.slice(mostMissing).map(({ uri }) => createRootIssue('missing', uri));
  const left = roots.length - kept.length - gone.length;
  return left === 0 ? gone : [...gone, createRootIssue('too-many', `${left} more roots`)];
}

function asListed(answer: RootsAnswer, roots: readonly Root[], more: readonly RootIssue[]): RootsAnswer {
  const again =
    answer.state === 'listed' ? answer.again === true : answer.state === 'empty' && answer.revoked;
  // A root that was missing and has appeared makes the list usable; the others are found missing when opened.
  const issues = [...issuesOf(answer).filter(({ code }) => code !== 'missing'), ...more];
  return {
    state: 'listed',
    roots,
    ...(issues.length > 0 && { issues: firstIssues(issues) }),
    ...(again && { again: true }),
    looked: true,
  };
}

function asEmpty(answer: RootsAnswer, missing: readonly Root[]): RootsAnswer {
  if (answer.state !== 'listed') return answer;
  const left = answer.roots.length - missing.length;
  const found = [
    ...issuesOf(answer),
    ...missing.map(({ uri }) => createRootIssue('missing', uri)),
    ...(left > 0 ? [createRootIssue('too-many', `${left} more roots`)] : []),
  ];
  return {
    state: 'empty',
    revoked: answer.again === true,
    issues: firstIssues(found),
    missing: missing.slice(0, mostMissing),
  };
}

/** The entries of a client's list that were repaired or dropped. */
export function issuesOf(answer: RootsAnswer): readonly RootIssue[] {
  return answer.state === 'listed' || answer.state === 'empty' ? (answer.issues ?? []) : [];
}

/** Reports a list of roots in which no entry can be used, with every entry. */
export function warnOfDropped(trace: Trace, answer: RootsAnswer, connection: TracedConnection): void {
  if (answer.state !== 'empty' || answer.issues === undefined) return;
  const message = `no root of the client can be used: ${describeDropped(answer.issues)}`;
  trace({ kind: 'warned', message }, connection);
}
