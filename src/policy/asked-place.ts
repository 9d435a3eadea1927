import { posix, sep } from 'node:path';
import type { Operation } from '../boundary/step/operation.ts';
import { RootwardError } from '../errors.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import type { AccessRequest } from './decide.ts';
import type { AskedPlace, Decision } from './decision.ts';
import type { Policy } from './rules/policy.ts';

export interface PlaceScope {
  readonly workspace: Workspace;
  readonly policy: Policy;
}

/**
 * Finds the place where an operation would really act, so that a person is asked about that place and not
 * about the name of a link. Deny rules apply on the way: a denied name is not looked at, and no question is
 * asked about it.
 *
 * @throws {RootwardError} `DENIED` or `OUTSIDE_ROOTS`, where consent could not help
 */
export async function findAskedPlace(
  scope: PlaceScope,
  request: AccessRequest,
  location: Location,
): Promise<AskedPlace> {
  const judge = createLocationGuard(scope, location);
  const boundary = location.boundary.guarded((operation, relative, last) => {
    const objection = judge(operation, relative, last);
    return objection?.decision.verdict === 'deny' ? denied({ ...request, operation }, objection) : undefined;
  });
  const { operation, itself = operation === 'remove' } = request;
  try {
    const options = { itself, missing: true };
    const { relative, kind, links } = await boundary.probe(operation, location.relative, options);
    return { relative, links, whole: kind === 'directory' };
  } catch (error) {
    if (RootwardError.is(error, 'DENIED') || RootwardError.is(error, 'OUTSIDE_ROOTS')) throw error;
    return byText(location.relative);
  }
}

/** For a path that cannot be probed: the operation will fail, or act where the text says. */
function byText(path: string): AskedPlace {
  const relative = posix.normalize(path.replaceAll(sep, '/')).replace(/^\/+|\/+$/g, '');
  return { relative: relative === '.' ? '' : relative, links: [], whole: false };
}

/** Whether consent for one place also covers another: consent for a directory covers everything in it. */
export function covers(
  { relative: place, whole }: AskedPlace,
  operation: Operation,
  relative: string,
): boolean {
  // A command reaches the whole root wherever it starts, and the question says so.
  if (operation === 'execute' || relative === place) return true;
  return whole && (place === '' || relative.startsWith(`${place}/`));
}

export function denied(
  { operation, path }: AccessRequest,
  { root, decision: { rule, reason } }: RuleObjection,
): RootwardError<'DENIED'> {
  return new RootwardError('DENIED', { operation, path, root, rule, reason });
}

/**
 * Called for every name on the way to a file, in order, with the real names from the root on, `/` between
 * them. Returns `undefined` if the step is allowed; otherwise a denial or, at the last step, possibly an
 * `ask` decision.
 */
export type StepGuard = (relative: string, last: boolean) => Decision | undefined;

/**
 * Creates the check that runs while a file is being opened: the same rules as `decide`, applied to the real
 * names, so that no link leads around them. Steps before the last are only compared with deny rules, because
 * passing through a directory is not listing it.
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

/** The decision that refuses a name, and the root whose rule it is. */
export interface RuleObjection {
  readonly root: string;
  readonly decision: Decision;
}

/** Checks every name met from one location on, by the rules of the root that owns the name. */
export type LocationGuard = (
  operation: Operation,
  relative: string,
  last: boolean,
) => RuleObjection | undefined;

export function createLocationGuard(
  { workspace, policy }: { readonly workspace: Workspace; readonly policy: Policy },
  location: Location,
): LocationGuard {
  // Nearly all names belong to one root and one operation.
  let recent: { readonly root: string; readonly operation: Operation; readonly guard: StepGuard } | undefined;
  const guardOf = (root: string, operation: Operation): StepGuard => {
    if (recent?.root !== root || recent.operation !== operation)
      recent = { root, operation, guard: createStepGuard(policy, root, operation) };
    return recent.guard;
  };
  return (operation, relative, last) => {
    const { name: root, relative: own } = workspace.ownerOf(location, relative);
    const guard = guardOf(root, operation);
    // The owning root begins above this location: check its names above, which were not stepped through.
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
