import { RootwardError } from '../../errors.ts';
import type { PolicyConfig } from '../../policy/rules/policy-config.ts';
import type { ServeFlags } from './serve-options.ts';

/**
 * The policy of the server. By default it allows reading, listing and writing, as users of file servers expect.
 *
 * @throws {RootwardError} `INVALID_CONFIG`
 */
export function servePolicy(
  { readOnly, allow, deny }: Pick<ServeFlags, 'readOnly' | 'allow' | 'deny'>,
  file: PolicyConfig = {},
): PolicyConfig {
  if (readOnly === true && allow !== undefined)
    throw new RootwardError('INVALID_CONFIG', { where: '--allow', reason: 'it contradicts --read-only' });
  const base = readOnly === true ? withoutPermissions(file) : file;
  const preset = readOnly === true ? 'read-only' : chooses(base) ? base.preset : 'write-in-project';
  const more = new Set([...(base.allow ?? []), ...(allow ?? [])]);
  const denied = [...(base.deny ?? []), ...(deny ?? [])];
  return {
    ...base,
    ...(preset && { preset }),
    ...(more.size > 0 && { allow: [...more] }),
    ...(denied.length > 0 && { deny: denied }),
  };
}

/** Whether a policy chooses permissions, and does not only restrict. */
export function chooses({ preset, allow, ask }: PolicyConfig = {}): boolean {
  return preset !== undefined || allow !== undefined || ask !== undefined;
}

/** The restrictions of a policy, for read-only in every root. */
function withoutPermissions({ deny, secrets, roots = {} }: PolicyConfig): PolicyConfig {
  const entries = Object.entries(roots).map(
    ([name, root]) => [name, root.deny ? { deny: root.deny } : {}] as const,
  );
  return {
    ...(deny && { deny }),
    ...(secrets !== undefined && { secrets }),
    ...(entries.length > 0 && { roots: Object.fromEntries(entries) }),
  };
}
