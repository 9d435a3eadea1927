import { sep } from 'node:path';
import type { Operation } from '../boundary/step/operation.ts';
import { type Location, ownedBy } from '../workspace/workspace.ts';
import type { Decision } from './decision.ts';
import type { FindDenial } from './rules/deny-index.ts';
import type { Policy } from './rules/policy.ts';

/** What somebody wants to do. */
export interface AccessRequest {
  readonly operation: Operation;
  /** As it was asked. */
  readonly path: string;
  /** A link is meant itself, not what it leads to. */
  readonly itself?: boolean;
  /** The tool that asks, for the person and the audit. */
  readonly tool?: string;
  /** What the operation and the path do not say: a command line, the other place of a move, how much is written. */
  readonly detail?: string;
}

/** Where a path lies, as far as its text can tell. */
export interface PolicyLocation {
  /** The name of the root. */
  readonly root: string;
  /** The way from there, `/` between names; `.` for the root itself. */
  readonly relative: string;
}

/**
 * May I? Decides by the text of a path: deny rules on every step of the way, then what the root permits.
 * `undefined` for a path that no root holds.
 *
 * Text cannot see links. The decision on the names that are really opened is that of `createStepGuard`, with
 * the same rules; this one comes first and spares the disk.
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

/** Has names that lead nowhere, or back. */
const roundabout = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Goes the way as a boundary would if there were no links: `..` leads back, and never above the root. */
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

/** A location as rules see it: from the root whose rules hold, with `/` between names on every system. */
export function toPolicyLocation(location: Location): PolicyLocation {
  const { name, relative } = ownedBy(location, location.relative.replaceAll(sep, '/'));
  return { root: name, relative };
}
