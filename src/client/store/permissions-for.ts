import type { Operation } from '../../boundary/step/operation.ts';
import type { PermissionConfig, PolicyConfig } from '../../policy/rules/policy-config.ts';
import { type RootPermissions, toRootPermissions } from '../../policy/rules/root-permissions.ts';
import type { ServerIdentity } from '../expose/server-identity.ts';
import type { Grant, StoredRoot } from './stored-root.ts';

/** What a root permits to a server, by its name: what is said about the server goes before what is said to all. */
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

/** The same spelled out, with what a person granted this very server as its limit. */
export function rootPermissionsFor(root: StoredRoot, server: ServerIdentity, now: Date): RootPermissions {
  const said = toRootPermissions(permissionsFor(root, server.name));
  return limitPermissions(said, findGrant(root.grants, server, now)?.operations);
}

/** No more than these operations, if some are named. */
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
 * The permissions of stored roots as a policy, for whoever enforces them: `decide` and `access` ask it. A root
 * that is not in the list permits nothing.
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

/** In a policy a root that chooses nothing gets what is general, and that is nothing here. */
function orDefault(config: PermissionConfig): PermissionConfig {
  const { preset, allow, ask } = config;
  return (preset ?? allow ?? ask) === undefined ? { ...config, preset: 'read-only' } : config;
}

/**
 * The answer that holds for a server now. One without a fingerprint holds for whatever goes by the name; a no
 * goes before a yes, and the latest before an earlier one.
 */
export function findGrant(grants: readonly Grant[], server: ServerIdentity, now: Date): Grant | undefined {
  const valid = grants.filter((grant) => isAbout(grant, server) && !isOver(grant, now));
  return valid.find(({ answer }) => answer === 'never') ?? valid.at(-1);
}

function isAbout(grant: Grant, { name, fingerprint }: ServerIdentity): boolean {
  return grant.server === name && (grant.fingerprint ?? fingerprint) === fingerprint;
}

/** A time that cannot be read has come. */
function isOver({ until }: Grant, now: Date): boolean {
  return until !== undefined && !(Date.parse(until) > now.getTime());
}
