import { operations } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { Decision } from '../decision.ts';
import type { FindDenial } from './deny-index.ts';
import type { Permissions, PerOperation } from './permissions.ts';
import { parsePolicy, type Policy } from './policy.ts';
import type { RootPermissions } from './root-permissions.ts';

/**
 * A policy that permits in some roots, by name, no more than others say about them: what one side denies is
 * denied, what one side asks about is asked about.
 *
 * @example
 * ```ts
 * const policy = parsePolicy({ allow: ['read', 'list', 'write'] });
 * const narrow = narrowPolicy(policy, new Map([['app', { allow: ['read'], ask: ['write'], deny: [] }]]));
 * narrow.roots.get('app').verdicts.write.verdict // → 'ask'
 * narrow.roots.get('app').verdicts.list.verdict // → 'deny'
 * narrow.general.verdicts.write.verdict // → 'allow'
 * ```
 */
export function narrowPolicy(
  policy: Policy,
  said: ReadonlyMap<string, RootPermissions>,
  rules: NameRules = { platform: hostPlatform },
): Policy {
  const narrowed = [...said].map(([name, { allow, ask, deny }]) => {
    const theirs = parsePolicy({ allow, ask, deny, secrets: false }, rules).general;
    return [name, stricter(policy.roots.get(name) ?? policy.general, theirs)] as const;
  });
  return { ...policy, roots: new Map([...policy.roots, ...narrowed]) };
}

/** What both permit. */
export function stricter(ours: Permissions, theirs: Permissions): Permissions {
  const verdicts = operations.map((name) => [name, stricterOf(ours.verdicts[name], theirs.verdicts[name])]);
  const denials = operations.map((name) => [name, eitherOf(ours.denials[name], theirs.denials[name])]);
  return {
    verdicts: Object.fromEntries(verdicts) as PerOperation<Decision>,
    denials: Object.fromEntries(denials) as PerOperation<FindDenial>,
  };
}

const strictness: { readonly [Verdict in Decision['verdict']]: number } = { allow: 0, ask: 1, deny: 2 };

function stricterOf(ours: Decision, theirs: Decision): Decision {
  return strictness[theirs.verdict] > strictness[ours.verdict] ? theirs : ours;
}

function eitherOf(ours: FindDenial, theirs: FindDenial): FindDenial {
  return (path) => ours(path) ?? theirs(path);
}
