import type { Guard } from '../boundary/context.ts';
import type { Operation } from '../boundary/operation.ts';
import { RootwardError } from '../errors.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import type { AccessRequest } from './decide.ts';
import type { Decision } from './decision.ts';
import { placeOf } from './place-of.ts';
import type { Policy } from './policy.ts';
import { isConsent } from './settle.ts';
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
): Permit {
  if (location === undefined) {
    throw new RootwardError('OUTSIDE_ROOTS', {
      path: request.path,
      roots: workspace.roots.map(({ root }) => root.name),
    });
  }
  if (decision.verdict !== 'allow') throw denied(request, location.root.name, decision);
  const term = { ended: false };
  const guard = createGuard({ workspace, policy }, { request, location, decision, term });
  const end = (): void => {
    term.ended = true;
  };
  return { location: { ...location, boundary: location.boundary.guarded(guard) }, end };
}

/** Runs an act with its permit, which ends with it. */
export async function actWithin<Result>(
  { location, end }: Permit,
  act: (location: Location) => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await act(location);
  } finally {
    end();
  }
}

/** A location that the rules hold for, until it ends. */
export interface Permit {
  readonly location: Location;
  /** Nothing is permitted through this location from now on. */
  readonly end: () => void;
}

interface Granted {
  readonly request: AccessRequest;
  readonly location: Location;
  readonly decision: Decision;
  readonly term: { readonly ended: boolean };
}

function createGuard({ workspace, policy }: Enforcement, granted: Granted): Guard {
  const { request, location, decision: settled, term } = granted;
  // As good as every name lies in one root, and is met by one operation.
  let last: { readonly root: string; readonly operation: Operation; readonly guard: StepGuard } | undefined;
  const guardOf = (root: string, operation: Operation): StepGuard => {
    if (last?.root !== root || last.operation !== operation)
      last = { root, operation, guard: createStepGuard(policy, root, operation) };
    return last.guard;
  };
  return (operation, relative, isLast) => {
    const owner = workspace.ownerOf(location, relative);
    if (term.ended) return denied({ operation, path: request.path }, owner.name, over);
    const stepGuard = guardOf(owner.name, operation);
    // Another root's names begin further up than ours do: what was never stepped through is asked about now.
    const above = owner.relative === relative ? undefined : judgeAbove(stepGuard, owner.relative);
    const decision = above ?? stepGuard(owner.relative, isLast);
    if (decision === undefined) return undefined;
    // A yes was given for one operation in one root, and for no other.
    const agreed =
      isConsent(settled) && operation === request.operation && owner.name === placeOf(location).root;
    return decision.verdict === 'ask' && agreed
      ? undefined
      : denied({ operation, path: request.path }, owner.name, decision);
  };
}

function judgeAbove(guard: StepGuard, relative: string): Decision | undefined {
  for (let end = relative.indexOf('/'); end !== -1; end = relative.indexOf('/', end + 1)) {
    const decision = guard(relative.slice(0, end), false);
    if (decision !== undefined) return decision;
  }
  return undefined;
}

const over: Decision = {
  verdict: 'deny',
  rule: 'call-ended',
  reason: 'the call it was permitted for has ended',
};

function denied({ operation, path }: AccessRequest, root: string, { rule, reason }: Decision): RootwardError {
  return new RootwardError('DENIED', { operation, path, root, rule, reason });
}
