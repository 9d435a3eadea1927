import { operations } from '../../boundary/step/operation.ts';
import { narrowPolicy } from './narrow.ts';
import type { PolicyConfig } from './policy-config.ts';
import { parsePolicy, type Policy } from './policy.ts';
import type { RootPermissions } from './root-permissions.ts';

/** What was said to the command, beside the store. */
export interface CommandPolicy {
  readonly policy: PolicyConfig;
  /** Whether that is the most that stored roots get, too: somebody chose it, with a flag or in a file. */
  readonly limited: boolean;
}

/**
 * The rules of a server that follows a store: in stored roots, by name, what the store says; elsewhere what the
 * command says. What the command denies is denied everywhere.
 */
export function createStorePolicy(
  { policy, limited }: CommandPolicy,
  stored: ReadonlyMap<string, RootPermissions>,
): Policy {
  const base = parsePolicy(policy);
  const most = limited ? base : parsePolicy({ ...policy, allow: operations });
  const { roots } = narrowPolicy(most, stored);
  const named = [...roots].filter(([name]) => stored.has(name));
  return { general: base.general, roots: new Map([...base.roots, ...named]) };
}
