import { type Operation, operations } from '../../boundary/step/operation.ts';
import { compileGlobs } from '../../path/glob.ts';
import { parsePolicyConfig } from '../../policy/rules/parse-policy-config.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import { toRootPermissions } from '../../policy/rules/root-permissions.ts';
import { allowGlobs, denyGlobs } from './change-deny-rules.ts';

/** What somebody wants to allow or to deny. */
export interface PermissionChange {
  /** Everywhere; beside globs, what these are for. */
  readonly operations?: readonly Operation[];
  /** Deny rules: allowing takes them away, for the operations if some are named. */
  readonly globs?: readonly string[];
}

/** @throws {RootwardError} `INVALID_GLOB`, `INVALID_POLICY` */
export function parseWish(wish: PermissionChange): PermissionChange {
  compileGlobs(wish.globs ?? []);
  parsePolicyConfig({ allow: wish.operations });
  return wish;
}

/** Both levels of a config: what is said at one place, and what holds there because of all places. */
export interface PermissionLevels {
  readonly own: PermissionConfig;
  readonly effective: PermissionConfig;
}

/**
 * Allows more, and changes nothing else: what held before is spelled out, because a list names all that holds.
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

/** Denies operations everywhere, or those within globs. */
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

/** From now on a person is asked before these, and what held for others goes on. */
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

type Loose = { readonly [Key in keyof PermissionConfig]?: PermissionConfig[Key] | undefined };

/** As the file shows it, without what says nothing. */
function inOrder({ preset, allow, ask, deny }: Loose): PermissionConfig {
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(allow === undefined ? {} : { allow }),
    ...(ask === undefined || ask.length === 0 ? {} : { ask }),
    ...(deny === undefined || deny.length === 0 ? {} : { deny }),
  };
}
