import { RootwardError } from '../../errors.ts';
import type { NameRules } from '../../path/fold.ts';
import { hostPlatform } from '../../path/platform.ts';
import { compileDenyRule, type CompiledDenyRule } from './deny-rule.ts';
import { invalid } from './field.ts';
import { type ParsedDenyRule, type ParsedPermissions, parsePolicyConfig } from './parse-policy-config.ts';
import { createPermissions, type Permissions, saysSomething } from './permissions.ts';
import { secrets } from './permission-presets.ts';

/** Every rule, compiled. Immutable; ask it through `decide` and `createStepGuard`. */
export interface Policy {
  /** For roots that have no entry of their own. */
  readonly general: Permissions;
  /** By name of the root; as it was written, until `bindRules` has found the roots. */
  readonly roots: ReadonlyMap<string, Permissions>;
}

/**
 * Reads a policy that came from outside, a `PolicyConfig`, and compiles it. Strict: a key that is unknown, a
 * word that is misspelled, a glob that is none refuse the whole policy, and the error says where.
 *
 * - Nothing given (`undefined` or `{}`) is `read-only`, with files that usually hold secrets denied.
 * - As soon as one of `preset`, `allow` and `ask` is there, what none of them names is denied. `allow` and
 *   `ask` go before the preset.
 * - The entry of a root that has one of the three replaces them all for that root; its `deny` adds to the
 *   general one. Deny wins, whatever is allowed.
 * - Deny globs match names from the root on, as they are opened, and whatever lies beneath. Case, Unicode form
 *   and invisible characters do not count, because on many file systems they lead to the same file; say
 *   `caseSensitive: true` in the rules to let them count.
 *
 * Not guaranteed: a rule sees names. It knows neither a copy under another name nor what a file contains.
 *
 * @throws {RootwardError} `INVALID_POLICY`
 * @example
 * ```ts
 * const policy = parsePolicy({ preset: 'write-in-project', deny: ['/dist'], roots: { docs: { allow: ['list'] } } });
 * policy.general.verdicts.write.verdict // → 'allow'
 * policy.roots.get('docs').verdicts.write.verdict // → 'deny'
 * parsePolicy({ alow: ['read'] }) // throws INVALID_POLICY
 * parsePolicy(undefined).general.verdicts.write.rule // → 'preset:read-only'
 * ```
 */
export function parsePolicy(input: unknown, rules: NameRules = { platform: hostPlatform }): Policy {
  const config = parsePolicyConfig(input);
  const standing = config.secrets ? secrets.map((rule) => compileDenyRule(rule, rules)) : [];
  const general = [...compileAll(config.deny, rules), ...standing];
  return {
    general: createPermissions(config, general, rules),
    roots: new Map(
      [...config.roots].map(([name, own]) => [name, permissionsOf(own, config, general, rules)] as const),
    ),
  };
}

function permissionsOf(
  own: ParsedPermissions,
  general: ParsedPermissions,
  denyRules: readonly CompiledDenyRule[],
  rules: NameRules,
): Permissions {
  const choice = saysSomething(own) ? own : general;
  return createPermissions(choice, [...compileAll(own.deny, rules), ...denyRules], rules);
}

function compileAll(deny: readonly ParsedDenyRule[], rules: NameRules): CompiledDenyRule[] {
  return deny.map((rule) => {
    try {
      return compileDenyRule(rule, rules);
    } catch (error) {
      if (!RootwardError.is(error, 'INVALID_GLOB')) throw error;
      throw invalid(rule, error.data.reason);
    }
  });
}
