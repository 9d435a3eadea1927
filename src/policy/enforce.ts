import type { DiskChange, Guard, Witness } from '../boundary/step/context.ts';
import type { Operation } from '../boundary/step/operation.ts';
import { RootwardError } from '../errors.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import { covers } from './asked-place.ts';
import {
  type AccessRequest,
  createLocationGuard,
  denied,
  type RuleObjection,
  toPolicyLocation,
} from './decide.ts';
import type { AskedPlace, Decision } from './decision.ts';
import type { Policy } from './rules/policy.ts';

/** The workspace and policy to enforce. */
export interface EnforcementScope {
  readonly workspace: Workspace;
  readonly policy: Policy;
  /** Receives the effects on the disk, if given. */
  readonly account?: EffectListener;
}

/** Records effects on the disk while an act runs. */
export interface EffectListener {
  /** Called with the real path, from the root on, that the requested path led to. */
  readonly reached: (relative: string) => void;
  readonly changed: (change: DiskChange) => void;
  /** Called with the number of bytes of each part of a file that was read. */
  readonly read: (bytes: number) => void;
}

/**
 * Returns the location with a boundary that checks the policy for every name it meets, for every operation:
 * the decision on the text of a path also holds for the files that are really there.
 *
 * @throws {RootwardError} `OUTSIDE_ROOTS` or `DENIED`, if the decision is a refusal
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

/** Runs an act with its permit, and ends the permit afterwards. */
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

/** A location that may be used until the permit ends. */
export interface PermittedLocation {
  readonly location: Location;
  /** Revokes the permit: every later operation through this location is denied. */
  readonly end: () => void;
}

interface GrantedAccess {
  readonly request: AccessRequest;
  readonly location: Location;
  readonly decision: Decision;
  readonly term: { readonly ended: boolean };
}

/** `way`: passed through. `last`: the last name, perhaps a link. `act`: not a link; acted on next. */
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
    // All rules were checked on the way. Only consent distinguishes a link from the place behind it.
    if (stage === 'act' && (agreed === undefined || operation !== request.operation)) return undefined;
    const objection = judge(operation, relative, stage !== 'way');
    if (objection === undefined) return undefined;
    if (objection.decision.verdict !== 'ask') return denied({ operation, path }, objection);
    // Consent covers one operation at one place of one root.
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

/**
 * Links on the way may be passed, and directories above the place may be created; neither may be acted on
 * itself.
 */
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
    beforeEffect: ({ operation, path }, relative) => {
      if (path === location.relative) account?.reached(relative);
      return object(operation, relative, 'act');
    },
    afterEffect: (change) => account?.changed(change),
    afterRead: (bytes) => account?.read(bytes),
  };
}

const over: Decision = {
  verdict: 'deny',
  rule: 'call-ended',
  reason: 'the call it was permitted for has ended',
};

/** Keeps the rule, which still asks for consent, and replaces the reason. */
function moved({ root, decision }: RuleObjection): RuleObjection {
  const reason = 'it leads to a different place from the one that a person agreed to';
  return { root, decision: { ...decision, reason } };
}
