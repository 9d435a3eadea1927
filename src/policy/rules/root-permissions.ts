import { ownField } from '../../base/fields.ts';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import { hostPlatform } from '../../path/platform.ts';
import type { Decision } from '../decision.ts';
import { defaultPreset, permissionPresets } from './permission-presets.ts';
import {
  type DenyConfig,
  type ParsedPermissions,
  parsePermissions,
  type PermissionConfig,
} from './policy-config.ts';
import { createPermissions } from './policy.ts';

/** The key in the `_meta` of a root that carries its permissions. */
export const permissionsKey = 'rootward/permissions';

/**
 * The permissions that the granting side gives to a root, written out in full. Operations in neither list are
 * denied. A server that reads this permits no more; its own rules may permit less.
 */
export interface RootPermissions {
  readonly allow: readonly Operation[];
  /** Allowed only after a person consents. */
  readonly ask: readonly Operation[];
  readonly deny: readonly DenyConfig[];
}

/**
 * Expands the config of one root: presets become lists.
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
  // Most roots have no config, and some stores have thousands of roots.
  if (Object.keys(config).length === 0) return { ...permissionPresets[defaultPreset], deny: [] };
  return spellOut(parsePermissions(config));
}

function spellOut(parsed: ParsedPermissions): RootPermissions {
  const { verdicts } = createPermissions(parsed, [], { platform: hostPlatform });
  const judgedAs = (verdict: Decision['verdict']): readonly Operation[] =>
    operations.filter((operation) => verdicts[operation].verdict === verdict);
  const { deny } = parsed;
  return { allow: judgedAs('allow'), ask: judgedAs('ask'), deny };
}

/** The permissions in an entry. With a `fault` they could not be read, and nothing is allowed. */
export type SentPermissions = RootPermissions & { readonly fault?: string };

/**
 * Reads the permissions that came with an entry of a client's roots. Returns `undefined` if there are none,
 * so that only the rules of the server apply. Unreadable permissions allow nothing.
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
    // Only the lists count. An entry that does not mention operations allows none.
    const { allow = [], ask, deny } = parsePermissions(sent);
    return spellOut({ preset: undefined, allow, ask, deny });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return { allow: [], ask: [], deny: [], fault: error.message };
  }
}
