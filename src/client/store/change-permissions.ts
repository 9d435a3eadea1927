import { type Operation, operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import { compileGlobs } from '../../path/glob.ts';
import {
  type DenyConfig,
  parsePolicyConfig,
  type PermissionConfig,
} from '../../policy/rules/policy-config.ts';
import { toRootPermissions } from '../../policy/rules/root-permissions.ts';

/** A change of permissions. */
export interface PermissionChange {
  /** The operations to change: everywhere, or within the globs if there are any. */
  readonly operations?: readonly Operation[];
  /** Deny rules: allowing removes them, for the given operations or for all. */
  readonly globs?: readonly string[];
}

/** @throws {RootwardError} `INVALID_GLOB`, `INVALID_POLICY` */
export function parseWish(wish: PermissionChange): PermissionChange {
  compileGlobs(wish.globs ?? []);
  parsePolicyConfig({ allow: wish.operations });
  return wish;
}

/** Permissions at two levels: those set at one place, and those in effect there. */
export interface PermissionLevels {
  readonly own: PermissionConfig;
  readonly effective: PermissionConfig;
}

/**
 * Allows more operations, or removes deny rules. Keeps all other permissions in effect, spelled out where needed,
 * because a list replaces the default.
 *
 * @throws {RootwardError} `UNKNOWN_RULE` for a glob that is not denied at this place
 */
export function allowMore(levels: PermissionLevels, change: PermissionChange): PermissionConfig {
  const { operations: more, globs = [] } = change;
  const { own, effective } = levels;
  if (globs.length > 0) {
    const deny = allowGlobs(own.deny ?? [], { globs, operations: more }, effective.deny ?? []);
    return inOrder({ ...own, deny });
  }
  if (more === undefined) return inOrder(own);
  const { allow, ask } = toRootPermissions(effective);
  return inOrder({
    allow: operations.filter((name) => allow.includes(name) || more.includes(name)),
    ask: ask.filter((name) => !more.includes(name)),
    deny: own.deny,
  });
}

/** Denies operations, everywhere or within globs. */
export function denyMore(levels: PermissionLevels, change: PermissionChange): PermissionConfig {
  const { operations: less, globs = [] } = change;
  const { own } = levels;
  if (globs.length > 0)
    return inOrder({ ...own, deny: denyGlobs(own.deny ?? [], { globs, operations: less }) });
  if (less === undefined) return inOrder(own);
  const { allow, ask } = toRootPermissions(levels.effective);
  return inOrder({
    allow: allow.filter((name) => !less.includes(name)),
    ask: ask.filter((name) => !less.includes(name)),
    deny: own.deny,
  });
}

/** Requires a question before these operations; keeps the others as they are. */
export function askBefore(
  levels: PermissionLevels,
  { operations: some = [] }: PermissionChange,
): PermissionConfig {
  const { allow, ask } = toRootPermissions(levels.effective);
  return inOrder({
    allow: allow.filter((name) => !some.includes(name)),
    ask: operations.filter((name) => ask.includes(name) || some.includes(name)),
    deny: levels.own.deny,
  });
}

type LoosePermissions = { readonly [Key in keyof PermissionConfig]?: PermissionConfig[Key] | undefined };

/** In the order of the file, without empty fields. */
function inOrder({ preset, allow, ask, deny }: LoosePermissions): PermissionConfig {
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(allow === undefined ? {} : { allow }),
    ...(ask === undefined || ask.length === 0 ? {} : { ask }),
    ...(deny === undefined || deny.length === 0 ? {} : { deny }),
  };
}

type Rule = string | DenyConfig;

export interface GlobChange {
  readonly globs: readonly string[];
  /** All operations if undefined. */
  readonly operations: readonly Operation[] | undefined;
}

/** Denies operations within globs. Rules that exist already are not repeated. */
export function denyGlobs(rules: readonly Rule[], change: GlobChange): readonly Rule[] {
  const { globs, operations: only = operations } = change;
  return globs.reduce((before, glob) => denyGlob(before, glob, only), rules);
}

/** Extends an existing rule with the same glob, unless it has a reason of its own. */
function denyGlob(rules: readonly Rule[], glob: string, only: readonly Operation[]): readonly Rule[] {
  if (only.every((operation) => isDenied(rules, glob, operation))) return rules;
  const plain = rules.filter((rule) => globOf(rule) === glob && reasonOf(rule) === undefined);
  const denied = operations.filter((name) => only.includes(name) || isDenied(plain, glob, name));
  const rule = denied.length === operations.length ? glob : { glob, operations: denied };
  const [first, ...others] = plain;
  if (first === undefined) return [...rules, rule];
  return rules.filter((other) => !others.includes(other)).map((other) => (other === first ? rule : other));
}

/**
 * Removes deny rules, or some operations from them.
 *
 * @param effective All rules in effect at this place: a rule for all servers cannot be lifted for one.
 * @throws {RootwardError} `UNKNOWN_RULE`
 */
export function allowGlobs(
  rules: readonly Rule[],
  change: GlobChange,
  effective: readonly Rule[],
): readonly Rule[] {
  const { globs, operations: only = operations } = change;
  for (const glob of globs) requireDenied(rules, { glob, only, effective });
  return rules.flatMap((rule) => {
    if (!globs.includes(globOf(rule))) return [rule];
    const left = operationsOf(rule).filter((operation) => !only.includes(operation));
    const rest = typeof rule === 'string' ? { glob: rule } : rule;
    return left.length === 0 ? [] : [{ ...rest, operations: left }];
  });
}

interface LiftedRule {
  readonly glob: string;
  readonly only: readonly Operation[];
  readonly effective: readonly Rule[];
}

function requireDenied(rules: readonly Rule[], { glob, only, effective }: LiftedRule): void {
  if (only.some((operation) => isDenied(rules, glob, operation))) return;
  const isElsewhere = only.some((operation) => isDenied(effective, glob, operation));
  const reason = isElsewhere ? 'it is denied to all servers, not only to this one' : 'no rule denies it';
  throw new RootwardError('UNKNOWN_RULE', { glob, reason, known: [...new Set(rules.map(globOf))] });
}

function isDenied(rules: readonly Rule[], glob: string, operation: Operation): boolean {
  return rules.some((rule) => globOf(rule) === glob && operationsOf(rule).includes(operation));
}

function globOf(rule: Rule): string {
  return typeof rule === 'string' ? rule : rule.glob;
}

function operationsOf(rule: Rule): readonly Operation[] {
  return typeof rule === 'string' ? operations : (rule.operations ?? operations);
}

function reasonOf(rule: Rule): string | undefined {
  return typeof rule === 'string' ? undefined : rule.reason;
}
