import type { Operation } from '../boundary/step/operation.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import type { Decision } from './decision.ts';
import type { Policy } from './rules/policy.ts';

/**
 * Asked for every name on the way to a file, in order: the real names from the root on, `/` between them.
 * `undefined` if nothing stands against it; otherwise a denial or, at the last step, possibly the question
 * that a person has to answer first.
 */
export type StepGuard = (relative: string, last: boolean) => Decision | undefined;

/**
 * May I?, while a file is being opened: the same rules as `decide`, on the names that are really there, so
 * that no link leads around them. The steps before the last are only compared with deny rules, because to
 * pass through a directory is not to list it.
 *
 * @example
 * ```ts
 * const guard = createStepGuard(parsePolicy({ preset: 'write-in-project' }), 'app', 'write');
 * guard('src', false) // → undefined
 * guard('src/main.ts', true) // → undefined
 * guard('.git', false).rule // → 'deny:.git'
 * ```
 */
export function createStepGuard(policy: Policy, root: string, operation: Operation): StepGuard {
  const { verdicts, denials } = policy.roots.get(root) ?? policy.general;
  const find = denials[operation];
  const verdict = verdicts[operation];
  const atLast = verdict.verdict === 'allow' ? undefined : verdict;
  return (relative, last) => find(relative) ?? (last ? atLast : undefined);
}

/** A name that a rule stands against, and the root whose rule it is. */
export interface Objection {
  readonly root: string;
  readonly decision: Decision;
}

/** The same for every name that is met from one location on: each is judged by the rules of the root that owns it. */
export type LocationGuard = (operation: Operation, relative: string, last: boolean) => Objection | undefined;

export function createLocationGuard(
  { workspace, policy }: { readonly workspace: Workspace; readonly policy: Policy },
  location: Location,
): LocationGuard {
  // As good as every name lies in one root, and is met by one operation.
  let recent: { readonly root: string; readonly operation: Operation; readonly guard: StepGuard } | undefined;
  const guardOf = (root: string, operation: Operation): StepGuard => {
    if (recent?.root !== root || recent.operation !== operation)
      recent = { root, operation, guard: createStepGuard(policy, root, operation) };
    return recent.guard;
  };
  return (operation, relative, last) => {
    const { name: root, relative: own } = workspace.ownerOf(location, relative);
    const guard = guardOf(root, operation);
    // Another root's names begin further up than ours do: what was never stepped through is asked about now.
    const above = own === relative ? undefined : judgeAbove(guard, own);
    const decision = above ?? guard(own, last);
    return decision && { root, decision };
  };
}

function judgeAbove(guard: StepGuard, relative: string): Decision | undefined {
  for (let end = relative.indexOf('/'); end !== -1; end = relative.indexOf('/', end + 1)) {
    const decision = guard(relative.slice(0, end), false);
    if (decision !== undefined) return decision;
  }
  return undefined;
}
