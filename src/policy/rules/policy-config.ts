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
 * The permissions of a root, as a person writes them. If any of `preset`, `allow` and `ask` is present,
 * operations that none of them names are denied; without them `read-only` applies.
 */
export interface PermissionConfig {
  readonly preset?: PresetName;
  /** Allowed in addition to the preset. */
  readonly allow?: readonly Operation[];
  /** Allowed only after a person consents, even where the preset allows it. */
  readonly ask?: readonly Operation[];
  /** Overrides everything else. */
  readonly deny?: readonly (string | DenyConfig)[];
}

export interface DenyConfig {
  /** In the syntax of `compileGlobs`, relative to the root; case is ignored. */
  readonly glob: string;
  /** All operations by default. */
  readonly operations?: readonly Operation[];
  /** Shown in the refusal. */
  readonly reason?: string;
}

/** A policy as data: the content of a config file. */
export interface PolicyConfig extends PermissionConfig {
  /** Whether files that usually hold secrets are denied; `true` by default. */
  readonly secrets?: boolean;
  /**
   * Rules per root, by name, or for an attached server by path: absolute, beginning with `~/`, or a file URI.
   * An entry with `preset`, `allow` or `ask` replaces the general ones for that root; `deny` always adds to
   * them. If several roots share a name, its rules can only restrict them.
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

/** A rule with the position of its glob, for error messages. */
export type ParsedDenyRule = DenyRule & Pick<Field, 'where'>;

export interface ParsedPolicyConfig extends ParsedPermissions {
  readonly secrets: boolean;
  readonly roots: ReadonlyMap<string, ParsedPermissions>;
}

/**
 * Parses a `PolicyConfig` strictly: refuses unknown keys and wrong types. Does not compile globs yet.
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

/** Refuses an empty list, because the rule would have no effect. */
function parseSome(field: Field): readonly Operation[] {
  const some = parseOperations(field);
  if (some.length === 0) throw invalid(field, 'it is empty; leave it out to deny every operation');
  return some;
}
