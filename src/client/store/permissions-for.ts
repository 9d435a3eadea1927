import type { Operation } from '../../boundary/step/operation.ts';
import type { PermissionConfig, PolicyConfig } from '../../policy/rules/policy-config.ts';
import { type RootPermissions, toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { ServerIdentity } from '../expose/server-identity.ts';
import type { Grant, StoredRoot } from './stored-root.ts';

/** Returns the permissions of a root for a server, by name: its own entry goes before the general one. */
export function permissionsFor(
  { permissions, servers }: StoredRoot,
  server: string | undefined,
): PermissionConfig {
  const own = server !== undefined && Object.hasOwn(servers, server) ? servers[server] : undefined;
  if (own === undefined) return permissions;
  const { preset, allow, ask } = own;
  const { deny: generalDeny = [], ...general } = permissions;
  const deny = [...(own.deny ?? []), ...generalDeny];
  const choice = (preset ?? allow ?? ask) === undefined ? general : { ...own };
  return { ...choice, ...(deny.length === 0 ? {} : { deny }) };
}

/** Returns the effective permissions, limited by the stored grant of this server. */
export function rootPermissionsFor(root: StoredRoot, server: ServerIdentity, now: Date): RootPermissions {
  const said = toRootPermissions(permissionsFor(root, server.name));
  return limitPermissions(said, findGrant(root.grants, server, now)?.operations);
}

/** Limits permissions to these operations, if there are any. */
export function limitPermissions(
  said: RootPermissions,
  most: readonly Operation[] | undefined,
): RootPermissions {
  if (most === undefined) return said;
  return {
    ...said,
    allow: said.allow.filter((operation) => most.includes(operation)),
    ask: said.ask.filter((operation) => most.includes(operation)),
  };
}

/**
 * Converts the permissions of stored roots to a policy, for use with `decide` and `access`. Roots that are not in the
 * list permit nothing.
 *
 * @example
 * ```ts
 * const app = { uri: 'file:///app', path: '/app', name: 'app', kind: 'unknown', servers: {}, grants: [] };
 * const policy = parsePolicy(toPolicyConfig([{ ...app, permissions: { allow: ['read'], deny: ['secret'] } }]));
 * decide(policy, { operation: 'read', path: 'a' }, { root: 'app', relative: 'a' }).verdict // → 'allow'
 * decide(policy, { operation: 'read', path: 'secret' }, { root: 'app', relative: 'secret' }).rule // → 'deny:secret'
 * decide(policy, { operation: 'read', path: 'a' }, { root: 'other', relative: 'a' }).verdict // → 'deny'
 * ```
 */
export function toPolicyConfig(roots: readonly StoredRoot[], server?: string): PolicyConfig {
  const entries = roots.map((root) => [root.name, orDefault(permissionsFor(root, server))] as const);
  return { allow: [], roots: Object.fromEntries(entries) };
}

/**
 * A root without permissions would inherit the general ones, which allow nothing here, so the default is spelled out.
 */
function orDefault(config: PermissionConfig): PermissionConfig {
  const { preset, allow, ask } = config;
  return (preset ?? allow ?? ask) === undefined ? { ...config, preset: 'read-only' } : config;
}

/**
 * Returns the grant of a server that is valid now. A grant without a fingerprint applies to any program of that name. A
 * refusal wins over a grant, and a later grant over an earlier one.
 */
export function findGrant(grants: readonly Grant[], server: ServerIdentity, now: Date): Grant | undefined {
  const valid = grants.filter((grant) => isAbout(grant, server) && !isOver(grant, now));
  return valid.find(({ answer }) => answer === 'never') ?? valid.at(-1);
}

function isAbout(grant: Grant, { name, fingerprint }: ServerIdentity): boolean {
  return grant.server === name && (grant.fingerprint ?? fingerprint) === fingerprint;
}

/** An unreadable time counts as past. */
function isOver({ until }: Grant, now: Date): boolean {
  return until !== undefined && !(Date.parse(until) > now.getTime());
}
