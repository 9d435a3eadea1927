import { operations } from '../boundary/operation.ts';
import type { NameRules } from '../path/fold.ts';
import { hostPlatform } from '../path/platform.ts';
import type { PolicyLocation } from './decide.ts';
import type { Decision } from './decision.ts';
import { keyOf } from './deny-rule.ts';
import { withoutTails } from './loose-key.ts';
import type { Permissions, PerOperation } from './permissions.ts';
import type { Policy } from './policy.ts';

/**
 * A policy that denies everything at some places, and beneath them. Made for many places: a step costs the same
 * with one of them as with thousands.
 *
 * @example
 * ```ts
 * const policy = parsePolicy({ preset: 'write-in-project' });
 * const refusing = refusePlaces(policy, [{ root: 'srv', relative: 'app' }]);
 * const read = (relative) => decide(refusing, { operation: 'read', path: relative }, { root: 'srv', relative });
 * read('app/a.txt').rule // → 'refused'
 * read('application/a.txt').verdict // → 'allow'
 * ```
 */
export function refusePlaces(
  policy: Policy,
  places: readonly PolicyLocation[],
  rules: NameRules = { platform: hostPlatform },
): Policy {
  if (places.length === 0) return policy;
  const key = keyOf(rules);
  const byRoot = new Map<string, Set<string>>();
  for (const { root, relative } of places) {
    const keys = byRoot.get(root) ?? new Set();
    byRoot.set(root, keys.add(key(relative)));
  }
  const refusing = [...byRoot].map(([name, keys]) => {
    const ours = policy.roots.get(name) ?? policy.general;
    return [name, keys.has('.') || keys.has('') ? nothing : without(ours, keys, key)] as const;
  });
  return { ...policy, roots: new Map([...policy.roots, ...refusing]) };
}

const refused: Decision = {
  verdict: 'deny',
  rule: 'refused',
  reason: 'it is kept from this server, whoever names it',
};

function perOperation<Value>(make: (operation: (typeof operations)[number]) => Value): PerOperation<Value> {
  return Object.fromEntries(operations.map((name) => [name, make(name)])) as PerOperation<Value>;
}

const nothing: Permissions = {
  verdicts: perOperation(() => refused),
  denials: perOperation(() => () => refused),
};

/** Every step of a way is asked about in turn, so that what is beneath a place need not be compared. */
function without(ours: Permissions, keys: ReadonlySet<string>, key: (text: string) => string): Permissions {
  return {
    ...ours,
    denials: perOperation((operation) => {
      const own = ours.denials[operation];
      const isRefused = (path: string): boolean => keys.has(key(path)) || keys.has(key(withoutTails(path)));
      return (path) => (isRefused(path) ? refused : own(path));
    }),
  };
}
