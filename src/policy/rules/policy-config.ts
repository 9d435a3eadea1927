import * as z from 'zod/mini';
import {
  lineOfText,
  listOf,
  namedOf,
  objectOf,
  placeText,
  problem,
  readValue,
  type ValueFault,
} from '../../base/read-value.ts';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import { hostPlatform } from '../../path/platform.ts';
import { compileDenyRule, type DenyRule } from './deny-rule.ts';
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
  readonly deny: readonly DenyRule[];
}

export interface ParsedPolicyConfig extends ParsedPermissions {
  readonly secrets: boolean;
  readonly roots: ReadonlyMap<string, ParsedPermissions>;
}

/**
 * Parses a `PolicyConfig` strictly: refuses unknown keys, wrong types and invalid globs.
 *
 * @throws {RootwardError} `INVALID_POLICY`
 */
export function parsePolicyConfig(input: unknown): ParsedPolicyConfig {
  const read = readValue(policySchema, input === undefined ? {} : input);
  if ('fault' in read) throw invalidPolicy(read.fault);
  const { secrets = true, roots = {}, ...general } = read.value;
  return {
    ...toParsed(general),
    secrets,
    roots: new Map(Object.entries(roots).map(([name, own]) => [name, toParsed(own)] as const)),
  };
}

/**
 * Parses a `PermissionConfig` strictly.
 *
 * @throws {RootwardError} `INVALID_POLICY`
 */
export function parsePermissions(input: unknown): ParsedPermissions {
  const read = readValue(permissionSchema, input);
  if ('fault' in read) throw invalidPolicy(read.fault);
  return toParsed(read.value);
}

function invalidPolicy({ path, reason }: ValueFault): RootwardError<'INVALID_POLICY'> {
  return new RootwardError('INVALID_POLICY', { where: placeText(path), reason });
}

function toParsed({ preset, allow, ask, deny = [] }: PermissionConfig): ParsedPermissions {
  return { preset, allow, ask, deny: deny.map(toDenyRule) };
}

function toDenyRule(config: string | DenyConfig): DenyRule {
  const {
    glob,
    operations: only = operations,
    reason = unexplained,
  } = typeof config === 'string' ? { glob: config } : config;
  return { glob, operations: only, reason };
}

const unexplained = 'a deny rule covers it';

const operationList = listOf(z.enum(operations));

/** Compiled here only to find its faults, so that they are reported with their place. */
const globText = lineOfText.check(({ value, issues }) => {
  if (issues.length > 0) return;
  try {
    compileDenyRule({ glob: value, operations, reason: unexplained }, { platform: hostPlatform });
  } catch (error) {
    if (!RootwardError.is(error, 'INVALID_GLOB')) throw error;
    issues.push(problem(error.data.reason));
  }
});

const denySchema = objectOf({
  glob: globText,
  operations: z.exactOptional(
    // A rule for no operation would have no effect.
    operationList.check(z.minLength(1, 'it is empty; leave it out to deny every operation')),
  ),
  reason: z.exactOptional(lineOfText),
});

/** The keys of a `PermissionConfig`, for schemas that add others to them. */
export const permissionShape: {
  readonly [Key in keyof Required<PermissionConfig>]: z.ZodMiniExactOptional<
    z.ZodMiniType<Required<PermissionConfig>[Key]>
  >;
} = {
  preset: z.exactOptional(z.enum(Object.keys(permissionPresets) as PresetName[])),
  allow: z.exactOptional(operationList),
  ask: z.exactOptional(operationList),
  deny: z.exactOptional(listOf(z.union([globText, denySchema]))),
};

/** The schema of a `PermissionConfig`. */
export const permissionSchema: z.ZodMiniType<PermissionConfig> =
  objectOf(permissionShape).check(refuseContradiction);

export const policySchema: z.ZodMiniType<PolicyConfig> = objectOf({
  ...permissionShape,
  secrets: z.exactOptional(z.boolean()),
  roots: z.exactOptional(namedOf(permissionSchema)),
}).check(refuseContradiction);

/** A check for these schemas: an operation is either allowed or asked about. */
export function refuseContradiction({ value, issues }: z.core.ParsePayload<PermissionConfig>): void {
  const { allow = [], ask = [] } = value;
  const index = ask.findIndex((operation) => allow.includes(operation));
  if (index !== -1) issues.push(problem(`"${ask[index]}" is in "allow" as well`, ['ask', index]));
}
