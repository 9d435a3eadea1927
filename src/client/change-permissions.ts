import { type Operation, operations } from '../boundary/operation.ts';
import { compileGlobs } from '../path/glob.ts';
import { parsePolicyConfig } from '../policy/parse-policy-config.ts';
import type { DenyConfig, PermissionConfig } from '../policy/policy-config.ts';
import { toRootPermissions } from '../policy/root-permissions.ts';

/** What somebody wants to allow or to deny. */
export interface PermissionChange {
  readonly operations?: readonly Operation[];
  /** Deny rules: allowing takes them away. */
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

/** Allows more, and changes nothing else: what held before is spelled out, because a list names all that holds. */
export function allowMore(levels: PermissionLevels, change: PermissionChange): PermissionConfig {
  const { operations: more = [], globs = [] } = change;
  const deny = levels.own.deny?.filter((rule) => !globs.includes(globOf(rule)));
  const { allow, ask } = toRootPermissions(levels.effective);
  if (more.length === 0) return inOrder({ ...levels.own, deny });
  return inOrder({
    allow: operations.filter((name) => allow.includes(name) || more.includes(name)),
    ask: ask.filter((name) => !more.includes(name)),
    deny,
  });
}

/** Denies operations everywhere, or those within globs: with globs, operations say what the globs are for. */
export function denyMore(levels: PermissionLevels, change: PermissionChange): PermissionConfig {
  const { operations: less = [], globs = [] } = change;
  const { own } = levels;
  if (globs.length > 0) return inOrder({ ...own, deny: [...(own.deny ?? []), ...newRules(own, change)] });
  const { allow, ask } = toRootPermissions(levels.effective);
  return inOrder({
    allow: allow.filter((name) => !less.includes(name)),
    ask: ask.filter((name) => !less.includes(name)),
    deny: own.deny,
  });
}

function newRules(
  { deny = [] }: PermissionConfig,
  change: PermissionChange,
): readonly (string | DenyConfig)[] {
  const { operations: only, globs = [] } = change;
  if (only !== undefined) return globs.map((glob) => ({ glob, operations: only }));
  return globs.filter((glob) => !deny.includes(glob));
}

function globOf(rule: string | DenyConfig): string {
  return typeof rule === 'string' ? rule : rule.glob;
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
