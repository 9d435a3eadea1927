import type { Operation } from '../boundary/operation.ts';
import type { Decision } from './decision.ts';
import type { Policy } from './policy.ts';

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
