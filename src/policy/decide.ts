import { sep } from 'node:path';
import type { Operation } from '../boundary/step/operation.ts';
import { type Location, ownedBy } from '../workspace/workspace.ts';
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
