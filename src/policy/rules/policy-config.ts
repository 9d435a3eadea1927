import { type Operation, operations } from '../../boundary/step/operation.ts';
import type { DenyRule } from './deny-rule.ts';
import {
  type Field,
  invalid,
  parseBoolean,
  parseList,
  parseNamed,
  parseObject,
  parseText,
  parseWord,
} from './field.ts';
import { type PresetName, permissionPresets } from './permission-presets.ts';

/**
 * What a root permits, as a person writes it. As soon as one of `preset`, `allow` and `ask` is there, what none
 * of them names is denied; with none of them it is `read-only`.
 */
export interface PermissionConfig {
  readonly preset?: PresetName;
  /** More than the preset allows. */
  readonly allow?: readonly Operation[];
  /** Only after a person said yes, even where the preset allows it. */
  readonly ask?: readonly Operation[];
  /** Wins over everything else. */
  readonly deny?: readonly (string | DenyConfig)[];
}

export interface DenyConfig {
  /** As `compileGlobs` reads it, from the root on; case does not count. */
  readonly glob: string;
  /** All of them unless said. */
  readonly operations?: readonly Operation[];
  /** Shown to whoever is refused. */
  readonly reason?: string;
}

/** A policy as data: what a config file holds. */
export interface PolicyConfig extends PermissionConfig {
  /** Whether files that usually hold secrets are denied; yes unless said. */
  readonly secrets?: boolean;
  /**
   * By name of the root, or where a server is attached by its path: absolute, from `~/` on, or a file URI. An entry
   * with `preset`, `allow` or `ask` replaces what is said above for that root; `deny` always adds to it. A name that
   * several roots were given only takes away, in all of them.
   */
  readonly roots?: Readonly<Record<string, PermissionConfig>>;
}

/** One level of a policy config: the general one, or that of a root. */
export interface ParsedPermissions {
  readonly preset: PresetName | undefined;
  readonly allow: readonly Operation[] | undefined;
  readonly ask: readonly Operation[] | undefined;
  readonly deny: readonly ParsedDenyRule[];
}

/** A rule, and where its glob stands, for whoever finds that the glob is none. */
export type ParsedDenyRule = DenyRule & Pick<Field, 'where'>;

export interface ParsedPolicyConfig extends ParsedPermissions {
  readonly secrets: boolean;
  readonly roots: ReadonlyMap<string, ParsedPermissions>;
}

/**
 * Reads a `PolicyConfig` strictly: nothing unknown, nothing of the wrong type, nothing that would be ignored.
 * Globs are only text so far.
 *
 * @throws {RootwardError} `INVALID_POLICY`
 */
export function parsePolicyConfig(input: unknown): ParsedPolicyConfig {
  const top: Field = { value: input === undefined ? {} : input, where: '' };
  const fields = parseObject(top, policyKeys);
  const roots = fields.roots === undefined ? [] : parseNamed(fields.roots);
  return {
    ...parsePermissions(fields),
    secrets: fields.secrets === undefined || parseBoolean(fields.secrets),
    roots: new Map(
      roots.map(([name, field]) => [name, parsePermissions(parseObject(field, permissionKeys))] as const),
    ),
  };
}

const permissionKeys: readonly (keyof PermissionConfig)[] = ['preset', 'allow', 'ask', 'deny'];

const policyKeys: readonly (keyof PolicyConfig)[] = [...permissionKeys, 'secrets', 'roots'];

const denyKeys: readonly (keyof DenyConfig)[] = ['glob', 'operations', 'reason'];

type PermissionFields = { readonly [Key in keyof PermissionConfig]?: Field };

function parsePermissions(fields: PermissionFields): ParsedPermissions {
  const { preset, allow, ask, deny } = fields;
  const allowed = allow && parseOperations(allow);
  if (ask !== undefined) refuseContradiction(ask, allowed ?? []);
  return {
    preset: preset && parseWord(preset, Object.keys(permissionPresets) as PresetName[], 'presets'),
    allow: allowed,
    ask: ask && parseOperations(ask),
    deny: deny === undefined ? [] : parseList(deny).map(parseDenyRule),
  };
}

function parseOperations(field: Field): readonly Operation[] {
  return parseList(field).map(parseOperation);
}

function parseOperation(field: Field): Operation {
  return parseWord(field, operations, 'operations');
}

function refuseContradiction(ask: Field, allowed: readonly Operation[]): void {
  for (const field of parseList(ask)) {
    const operation = parseOperation(field);
    if (allowed.includes(operation)) throw invalid(field, `"${operation}" stands in "allow" as well`);
  }
}

function parseDenyRule(field: Field): ParsedDenyRule {
  if (typeof field.value === 'string') {
    return { glob: parseText(field), operations, reason: unexplained, where: field.where };
  }
  const { glob, operations: only, reason } = parseObject(field, denyKeys);
  if (glob === undefined) throw invalid(field, 'it has no "glob"');
  return {
    glob: parseText(glob),
    operations: only === undefined ? operations : parseSome(only),
    reason: reason === undefined ? unexplained : parseText(reason),
    where: glob.where,
  };
}

const unexplained = 'a deny rule covers it';

/** A rule on no operation would be a rule that does nothing. */
function parseSome(field: Field): readonly Operation[] {
  const some = parseOperations(field);
  if (some.length === 0) throw invalid(field, 'it is empty; leave it out to deny every operation');
  return some;
}
