import { type Operation, perOperation } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import { withoutTails } from '../../path/loose-key.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { PolicyLocation } from '../decide.ts';
import type { Decision } from '../decision.ts';
import { keyOf } from './deny-rule.ts';
import type { CompiledPermissions, Policy } from './policy.ts';

/** A place to deny. */
export interface RefusedPlace extends PolicyLocation {
  /** The place may be read and listed, but not changed. */
  readonly readable?: boolean;
}

/**
 * Denies all operations, or all changes, at the given places and beneath them. A step costs the same with one
 * place as with thousands.
 *
 * @example
 * ```ts
 * const policy = parsePolicy({ preset: 'write-in-project' });
 * const refusing = refusePlaces(policy, [{ root: 'srv', relative: 'app' }]);
 * const read = (relative) => decide(refusing, { operation: 'read', path: relative }, { root: 'srv', relative });
 * read('app/a.txt').rule // → 'refused'
 * read('application/a.txt').verdict // → 'allow'
 * const fixed = refusePlaces(policy, [{ root: 'srv', relative: 'app', readable: true }]);
 * decide(fixed, { operation: 'read', path: 'app' }, { root: 'srv', relative: 'app' }).verdict // → 'allow'
 * ```
 */
export function refusePlaces(
  policy: Policy,
  places: readonly RefusedPlace[],
  rules: NameRules = { platform: hostPlatform },
): Policy {
  if (places.length === 0) return policy;
  const key = keyOf(rules);
  const byRoot = new Map<string, Map<string, Decision>>();
  for (const { root, relative, readable = false } of places) {
    const keys = byRoot.get(root) ?? new Map<string, Decision>();
    const place = relative === '' ? '.' : key(relative);
    // If a place is given twice, the stricter entry wins.
    if (!readable || !keys.has(place)) keys.set(place, readable ? fixed : refused);
    byRoot.set(root, keys);
  }
  const refusing = [...byRoot].map(([name, keys]) => {
    const ours = policy.roots.get(name) ?? policy.general;
    return [name, without(ours, keys, key)] as const;
  });
  return { ...policy, roots: new Map([...policy.roots, ...refusing]) };
}

const refused: Decision = {
  verdict: 'deny',
  rule: 'refused',
  reason: 'it is kept from this server',
};

const fixed: Decision = {
  verdict: 'deny',
  rule: 'fixed',
  reason: 'it is part of the running Rootward, or leads to its files: it can be read but not changed',
};

/** Every step of a path is checked in turn, so paths beneath a place need not be compared. */
function without(
  ours: CompiledPermissions,
  keys: ReadonlyMap<string, Decision>,
  key: (text: string) => string,
): CompiledPermissions {
  const denialOf = (operation: Operation, place: string): Decision | undefined => {
    const denial = keys.get(place);
    return denial === fixed && !changing.has(operation) ? undefined : denial;
  };
  return {
    verdicts: perOperation((operation) => denialOf(operation, '.') ?? ours.verdicts[operation]),
    denials: perOperation((operation) => {
      const own = ours.denials[operation];
      const whole = denialOf(operation, '.');
      if (whole !== undefined) return () => whole;
      return (path) =>
        denialOf(operation, key(path)) ?? denialOf(operation, key(withoutTails(path))) ?? own(path);
    }),
  };
}

const changing: ReadonlySet<Operation> = new Set(['write', 'remove']);
