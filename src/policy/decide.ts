import { sep } from 'node:path';
import type { Operation } from '../boundary/step/operation.ts';
import { RootwardError } from '../errors.ts';
import { type Location, ownedBy, type Workspace } from '../workspace/workspace.ts';
import type { Decision } from './decision.ts';
import type { FindDenial } from './rules/deny-index.ts';
import type { Policy } from './rules/policy.ts';

/** One operation that a tool asks for. */
export interface AccessRequest {
  readonly operation: Operation;
  /** The path as asked. */
  readonly path: string;
  /** Acts on a link itself, not on its target. */
  readonly itself?: boolean;
  /** The tool that asks, shown to the person and written to the audit log. */
  readonly tool?: string;
  /** Details beyond operation and path: a command line, the other path of a move, how much is written. */
  readonly detail?: string;
}

/** The position of a path in a root, by its text alone. */
export interface PolicyLocation {
  /** The name of the root. */
  readonly root: string;
  /** The path from there, `/` between names; `.` for the root itself. */
  readonly relative: string;
}

/**
 * Decides by the text of a path: deny rules on every step of the way, then the permissions of the root.
 * Denies with `outside-roots` when no root holds the path.
 *
 * Text does not show links. `createStepGuard` decides on the names that are really opened, with the same
 * rules; this decision comes first and avoids touching the disk.
 *
 * @example
 * ```ts
 * const policy = parsePolicy({ preset: 'write-in-project' });
 * const path = 'config/.env';
 * decide(policy, { operation: 'read', path }, { root: 'app', relative: path }).rule // → 'deny:.env'
 * decide(policy, { operation: 'read', path: 'a.ts' }, { root: 'app', relative: 'a.ts' }).verdict // → 'allow'
 * decide(policy, { operation: 'read', path: '/etc/passwd' }, undefined).rule // → 'outside-roots'
 * ```
 */
export function decide(
  policy: Policy,
  { operation }: AccessRequest,
  location: PolicyLocation | undefined,
): Decision {
  if (location === undefined) return outside;
  const { verdicts, denials } = policy.roots.get(location.root) ?? policy.general;
  return findOnWay(location.relative, denials[operation]) ?? verdicts[operation];
}

const outside: Decision = { verdict: 'deny', rule: 'outside-roots', reason: 'no root holds it' };

function findOnWay(relative: string, find: FindDenial): Decision | undefined {
  if (roundabout.test(relative)) return findRoundabout(relative, find);
  for (let end = relative.indexOf('/'); end !== -1; end = relative.indexOf('/', end + 1)) {
    const denial = find(relative.slice(0, end));
    if (denial !== undefined) return denial;
  }
  return find(relative);
}

/** Contains an empty name, `.` or `..`. */
const roundabout = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Walks the path as a boundary would if there were no links: `..` goes back, and never above the root. */
function findRoundabout(relative: string, find: FindDenial): Decision | undefined {
  const names: string[] = [];
  for (const name of relative.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (names.pop() === undefined) return outside;
      continue;
    }
    names.push(name);
    const denial = find(names.join('/'));
    if (denial !== undefined) return denial;
  }
  return undefined;
}

/**
 * Converts a location for the rules: relative to the root whose rules apply, with `/` between names on every
 * system.
 */
export function toPolicyLocation(location: Location): PolicyLocation {
  const { name, relative } = ownedBy(location, location.relative.replaceAll(sep, '/'));
  return { root: name, relative };
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

export function denied(
  { operation, path }: AccessRequest,
  { root, decision: { rule, reason, asked } }: RuleObjection,
): RootwardError<'DENIED' | 'NOT_ASKED'> {
  const code = asked === false ? 'NOT_ASKED' : 'DENIED';
  return new RootwardError(code, { operation, path, root, rule, reason });
}
