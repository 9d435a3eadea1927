import type { DiskChange, Guard, Witness } from '../boundary/step/context.ts';
import type { Operation } from '../boundary/step/operation.ts';
import { RootwardError } from '../errors.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import { covers, createLocationGuard, denied, type RuleObjection } from './asked-place.ts';
import { type AccessRequest, toPolicyLocation } from './decide.ts';
import type { AskedPlace, Decision } from './decision.ts';
import type { Policy } from './rules/policy.ts';

/** What the rules are enforced on. */
export interface EnforcementScope {
  readonly workspace: Workspace;
  readonly policy: Policy;
  /** Told what is really done; by default nobody is. */
  readonly account?: EffectListener;
}

/** Takes down what is done while an act runs. */
export interface EffectListener {
  /** Where the path that was asked for led: real names from its root. */
  readonly reached: (relative: string) => void;
  readonly changed: (change: DiskChange) => void;
}

/**
 * The location with a boundary that asks the policy about every name it meets, whatever operation is tried
 * on it: what was decided by the text of a path holds for the files that are really there.
 *
 * @throws {RootwardError} `OUTSIDE_ROOTS` or `DENIED`, where the decision is no
 */
export function enforce(
  { workspace, policy, account }: EnforcementScope,
  request: AccessRequest,
  location: Location | undefined,
  decision: Decision,
): PermittedLocation {
  if (location === undefined || decision.rule === 'outside-roots') {
    throw new RootwardError('OUTSIDE_ROOTS', {
      path: request.path,
      roots: workspace.roots.map(({ root }) => root.name),
    });
  }
  if (decision.verdict !== 'allow') throw denied(request, { root: location.root.name, decision });
  const term = { ended: false };
  const object = createObjector({ workspace, policy }, { request, location, decision, term });
  const guard: Guard = (operation, relative, last) => object(operation, relative, last ? 'last' : 'way');
  const witness = createWitness(object, location, account);
  const end = (): void => {
    term.ended = true;
  };
  return { location: { ...location, boundary: location.boundary.guarded(guard, witness) }, end };
}

/** Runs an act with its permit, which ends with it. */
export async function actWithin<Result>(
  { location, end }: PermittedLocation,
  act: (location: Location) => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await act(location);
  } finally {
    end();
  }
}

/** A location that the rules hold for, until it ends. */
export interface PermittedLocation {
  readonly location: Location;
  /** Nothing is permitted through this location from now on. */
  readonly end: () => void;
}

interface GrantedAccess {
  readonly request: AccessRequest;
  readonly location: Location;
  readonly decision: Decision;
  readonly term: { readonly ended: boolean };
}

/** `way`: passed through. `last`: the last name, perhaps a link. `act`: no link; acted on next. */
type StepStage = 'way' | 'last' | 'act';

type FindObjection = (operation: Operation, relative: string, stage: StepStage) => RootwardError | undefined;

function createObjector(
  scope: EnforcementScope,
  { request, location, decision, term }: GrantedAccess,
): FindObjection {
  const judge = createLocationGuard(scope, location);
  const { path } = request;
  const { agreed } = decision;
  return (operation, relative, stage) => {
    if (term.ended) {
      const { name: root } = scope.workspace.ownerOf(location, relative);
      return denied({ operation, path }, { root, decision: over });
    }
    // Every rule was asked on the way; only a yes tells a link from a place.
    if (stage === 'act' && (agreed === undefined || operation !== request.operation)) return undefined;
    const objection = judge(operation, relative, stage !== 'way');
    if (objection === undefined) return undefined;
    if (objection.decision.verdict !== 'ask') return denied({ operation, path }, objection);
    // A yes was given for one operation at one place of one root, and for no other.
    const isAsked = operation === request.operation && objection.root === toPolicyLocation(location).root;
    if (agreed === undefined || !isAsked) return denied({ operation, path }, objection);
    return isAgreed(agreed, { operation, relative, stage })
      ? undefined
      : denied({ operation, path }, moved(objection));
  };
}

interface GuardedStep {
  readonly operation: Operation;
  readonly relative: string;
  readonly stage: StepStage;
}

/** The links on the way there may be passed, and the directories above it made; neither is acted on itself. */
function isAgreed(agreed: AskedPlace, { operation, relative, stage }: GuardedStep): boolean {
  if (covers(agreed, operation, relative)) return true;
  return stage !== 'act' && (agreed.links.includes(relative) || agreed.relative.startsWith(`${relative}/`));
}

function createWitness(
  object: FindObjection,
  location: Location,
  account: EffectListener | undefined,
): Witness {
  return {
    about: ({ operation, path }, relative) => {
      if (path === location.relative) account?.reached(relative);
      return object(operation, relative, 'act');
    },
    changed: (change) => account?.changed(change),
  };
}

const over: Decision = {
  verdict: 'deny',
  rule: 'call-ended',
  reason: 'the call it was permitted for has ended',
};

/** The rule is still that somebody has to be asked. */
function moved({ root, decision }: RuleObjection): RuleObjection {
  const reason = 'it leads to another place than the one that a person said yes to';
  return { root, decision: { ...decision, reason } };
}
