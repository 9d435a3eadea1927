import type { Guard } from '../boundary/context.ts';
import type { Operation } from '../boundary/operation.ts';
import { RootwardError } from '../errors.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import type { AccessRequest } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Policy } from './policy.ts';
import { createStepGuard, type StepGuard } from './step-guard.ts';

/** What the rules are enforced on. */
export interface Enforcement {
  readonly workspace: Workspace;
  readonly policy: Policy;
}

/**
 * The location with a boundary that asks the policy about every name it meets, whatever operation is tried
 * on it: what was decided by the text of a path holds for the files that are really there.
 *
 * @throws {RootwardError} `OUTSIDE_ROOTS` or `DENIED`, where the decision is no
 */
export function enforce(
  { workspace, policy }: Enforcement,
  request: AccessRequest,
  location: Location | undefined,
  decision: Decision,
): Location {
  if (location === undefined) {
    throw new RootwardError('OUTSIDE_ROOTS', {
      path: request.path,
      roots: workspace.roots.map(({ root }) => root.name),
    });
  }
  if (decision.verdict !== 'allow') throw denied(request, location.root.name, decision);
  const guard = createGuard({ workspace, policy }, request, location);
  return { ...location, boundary: location.boundary.guarded(guard) };
}

function createGuard({ workspace, policy }: Enforcement, request: AccessRequest, location: Location): Guard {
  const guards = new Map<string, StepGuard>();
  const guardOf = (root: string, operation: Operation): StepGuard => {
    const key = `${operation} ${root}`;
    const existing = guards.get(key) ?? createStepGuard(policy, root, operation);
    guards.set(key, existing);
    return existing;
  };
  return (operation, relative, last) => {
    const owner = workspace.ownerOf(location, relative);
    const decision = guardOf(owner.name, operation)(owner.relative, last);
    // A yes was given for the operation that was asked for, and for no other.
    if (decision === undefined || (decision.verdict === 'ask' && operation === request.operation))
      return undefined;
    return denied({ operation, path: request.path }, owner.name, decision);
  };
}

function denied({ operation, path }: AccessRequest, root: string, { rule, reason }: Decision): RootwardError {
  return new RootwardError('DENIED', { operation, path, root, rule, reason });
}
