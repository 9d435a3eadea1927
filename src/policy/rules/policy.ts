import { type Operation, perOperation, type PerOperation } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { Decision } from '../decision.ts';
import { compileSecretRules, createDenyIndex, type FindDenial, type SecretRules } from './deny-index.ts';
import { type CompiledDenyRule, compileDenyRule, type DenyRule } from './deny-rule.ts';
import { defaultPreset, type PresetName, permissionPresets, secrets } from './permission-presets.ts';
import { type ParsedPermissions, parsePolicyConfig } from './policy-config.ts';

/** All rules, compiled. Immutable; used through `decide` and `createStepGuard`. */
export interface Policy {
  /** For roots that have no entry of their own. */
  readonly general: CompiledPermissions;
  /** By key as written; by unique root name after `bindRules`. */
  readonly roots: ReadonlyMap<string, CompiledPermissions>;
  /** The rules about secrets, for what lies above a root; absent with `secrets: false`. */
  readonly secrets?: SecretRules;
}

/**
 * Parses and compiles a `PolicyConfig` from outside. Strict: an unknown key, a misspelled word or an invalid
 * glob refuses the whole policy, and the error names its position.
 *
 * - No input (`undefined` or `{}`) means `read-only`, with files that usually hold secrets denied.
 * - If any of `preset`, `allow` and `ask` is present, operations that none of them names are denied. `allow`
 *   and `ask` override the preset.
 * - The entry of a root with any of the three replaces all three for that root; its `deny` adds to the
 *   general one. `deny` overrides everything that is allowed.
 * - Deny globs match real names from the root on, and everything beneath. Case, Unicode form and invisible
 *   characters are ignored, because on many file systems they lead to the same file; `caseSensitive: true` in
 *   the rules changes that.
 *
 * Not guaranteed: a rule sees names. It recognises neither a copy under another name nor the content of a
 * file.
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
  const standing = config.secrets
    ? secrets.map((rule) => Object.assign(compileDenyRule(rule, rules), { glob: rule.glob }))
    : [];
  const general = [...compileAll(config.deny, rules), ...standing];
  return {
    general: createPermissions(config, general, rules),
    roots: new Map(
      [...config.roots].map(([name, own]) => [name, permissionsOf(own, config, general, rules)] as const),
    ),
    ...(config.secrets && { secrets: compileSecretRules(standing, rules) }),
  };
}

function permissionsOf(
  own: ParsedPermissions,
  general: ParsedPermissions,
  denyRules: readonly CompiledDenyRule[],
  rules: NameRules,
): CompiledPermissions {
  const choice = choosesPermissions(own) ? own : general;
  return createPermissions(choice, [...compileAll(own.deny, rules), ...denyRules], rules);
}

function compileAll(deny: readonly DenyRule[], rules: NameRules): CompiledDenyRule[] {
  return deny.map((rule) => compileDenyRule(rule, rules));
}

/** The compiled permissions of one root. */
export interface CompiledPermissions {
  /** The decision where no rule denies. */
  readonly verdicts: PerOperation<Decision>;
  readonly denials: PerOperation<FindDenial>;
}

/** The configured permissions; `undefined` where not given. */
export interface PermissionChoice {
  readonly preset: PresetName | undefined;
  readonly allow: readonly Operation[] | undefined;
  readonly ask: readonly Operation[] | undefined;
}

/** Compiles the permissions of one root, or of all roots without an entry. */
export function createPermissions(
  choice: PermissionChoice,
  denyRules: readonly CompiledDenyRule[],
  rules: NameRules,
): CompiledPermissions {
  return {
    verdicts: perOperation((operation) => judge(operation, choice)),
    denials: perOperation((operation) =>
      createDenyIndex(
        denyRules.filter((rule) => rule.operations.includes(operation)),
        rules,
      ),
    ),
  };
}

export function choosesPermissions({ preset, allow, ask }: PermissionChoice): boolean {
  return (preset ?? allow ?? ask) !== undefined;
}

function judge(operation: Operation, choice: PermissionChoice): Decision {
  const { allow = [], ask = [] } = choice;
  if (allow.includes(operation)) return decision('allow', `allow:${operation}`, `"${operation}" is allowed`);
  if (ask.includes(operation)) return decision('ask', `ask:${operation}`, `"${operation}" needs a yes`);
  const preset = choosesPermissions(choice) ? choice.preset : defaultPreset;
  if (preset !== undefined) return judgeByPreset(operation, preset);
  return decision('deny', `not-allowed:${operation}`, `the policy does not allow "${operation}"`);
}

function judgeByPreset(operation: Operation, name: PresetName): Decision {
  const { allow, ask } = permissionPresets[name];
  const rule = `preset:${name}`;
  if (allow.includes(operation)) return decision('allow', rule, `preset "${name}" allows "${operation}"`);
  if (ask.includes(operation))
    return decision('ask', rule, `preset "${name}" asks a person before "${operation}"`);
  return decision('deny', rule, `preset "${name}" does not allow "${operation}"`);
}

function decision(verdict: Decision['verdict'], rule: string, reason: string): Decision {
  return { verdict, rule, reason };
}
