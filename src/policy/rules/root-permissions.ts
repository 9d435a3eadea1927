import { ownField } from '../../base/fields.ts';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import type { Decision } from '../decision.ts';
import { defaultPreset, permissionPresets } from './permission-presets.ts';
import { type DenyConfig, parsePolicyConfig, type PermissionConfig } from './policy-config.ts';
import { parsePolicy } from './policy.ts';

/** Where the permissions of a root travel: in its `_meta`, under this key. */
export const permissionsKey = 'rootward/permissions';

/**
 * What whoever granted a root permits in it, spelled out. What stands in neither list is denied. A server that
 * reads this permits no more than it says; its own rules may permit less.
 */
export interface RootPermissions {
  readonly allow: readonly Operation[];
  /** Only after a person said yes. */
  readonly ask: readonly Operation[];
  readonly deny: readonly DenyConfig[];
}

/**
 * Spells out what a config says about one root: presets become lists.
 *
 * @throws {RootwardError} `INVALID_POLICY`
 * @example
 * ```ts
 * toRootPermissions({ preset: 'ask-before-write', deny: ['/dist'] }).ask // → ['write', 'remove']
 * toRootPermissions({}).allow // → ['read', 'list']
 * toRootPermissions({ allow: ['delete'] }) // throws INVALID_POLICY
 * ```
 */
export function toRootPermissions(config: PermissionConfig): RootPermissions {
  // Most roots say nothing, and some stores have thousands of them.
  if (Object.keys(config).length === 0) return { ...permissionPresets[defaultPreset], deny: [] };
  const { verdicts } = parsePolicy({ ...config, secrets: false }).general;
  const judgedAs = (verdict: Decision['verdict']): readonly Operation[] =>
    operations.filter((operation) => verdicts[operation].verdict === verdict);
  const { deny } = parsePolicyConfig(config);
  return {
    allow: judgedAs('allow'),
    ask: judgedAs('ask'),
    deny: deny.map(({ glob, operations: only, reason }) => ({ glob, operations: only, reason })),
  };
}

/** What an entry says about itself. `fault`: it says something that cannot be read, so nothing is allowed. */
export type SentPermissions = RootPermissions & { readonly fault?: string };

/**
 * The permissions that came with an entry of a client's roots; `undefined` if it brought none, so that only the
 * rules of the server hold. What cannot be read allows nothing.
 *
 * @example
 * ```ts
 * const entry = { uri: 'file:///app', _meta: { [permissionsKey]: { allow: ['list'], ask: [], deny: [] } } };
 * readRootPermissions(entry).allow // → ['list']
 * readRootPermissions({ uri: 'file:///app' }) // → undefined
 * readRootPermissions({ uri: 'file:///app', _meta: { [permissionsKey]: 'all' } }).allow // → []
 * ```
 */
export function readRootPermissions(entry: unknown): SentPermissions | undefined {
  const sent = ownField(ownField(entry, '_meta'), permissionsKey);
  if (sent === undefined) return undefined;
  try {
    // Only what is said counts: who says nothing about operations allows none.
    return toRootPermissions({ allow: [], ...requireLists(sent) });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return { allow: [], ask: [], deny: [], fault: error.message };
  }
}

/** A policy has more keys than the permissions of one root. */
function requireLists(sent: unknown): PermissionConfig {
  const { secrets, roots } = parsePolicyConfig(sent);
  const { allow, ask, deny } = sent as PermissionConfig;
  if (!secrets || roots.size > 0) {
    throw new RootwardError('INVALID_POLICY', { where: permissionsKey, reason: 'it is not about one root' });
  }
  return {
    ...(allow === undefined ? {} : { allow }),
    ...(ask === undefined ? {} : { ask }),
    ...(deny === undefined ? {} : { deny }),
  };
}
