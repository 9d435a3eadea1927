import { isAbsolute, resolve } from 'node:path';
import { quote } from '../../base/quote.ts';
import { isFileUri, readFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import { stricter } from './narrow.ts';
import type { CompiledPermissions, Policy } from './policy.ts';

/** A root that rules can refer to. */
export interface RuledRoot {
  /** Its unique name in the workspace. */
  readonly name: string;
  /** The name that the operator or client gave it; several roots may share it. */
  readonly given: string;
  readonly path: string;
}

export interface BoundRules {
  /** The policy with the rules of each root under its unique name. */
  readonly policy: Policy;
  /** Warnings for the author of the rules, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Assigns rules to roots, by path or by given name. If several roots share a given name, it is ambiguous:
 * denials of its rules apply to all of them, and permissions beyond the general rules to none. If both a path
 * and a name match a root, both must permit.
 *
 * @example
 * ```ts
 * const policy = parsePolicy({ roots: { app: { deny: ['/x'] }, docs: { allow: ['list'] } } });
 * const roots = [{ name: 'app', given: 'app', path: '/a/app' }, { name: 'app-2', given: 'app', path: '/b/app' }];
 * const bound = bindRules(policy, roots);
 * decide(bound.policy, { operation: 'read', path: 'x' }, { root: 'app-2', relative: 'x' }).rule // → 'deny:/x'
 * bound.notes.length // → 2
 * ```
 */
export function bindRules(policy: Policy, roots: readonly RuledRoot[]): BoundRules {
  if (policy.roots.size === 0) return { policy, notes: [] };
  const rules = [...policy.roots].map(([key, permissions]) => ({ key, permissions, path: pathOf(key) }));
  const bound = new Map<string, CompiledPermissions>();
  const notes: string[] = [];
  for (const { key, permissions, path } of rules) {
    const meant = roots.filter((root) => (path === undefined ? root.given === key : root.path === path));
    if (meant.length === 0) notes.push(`the rules for ${quote(key)} fit no root`);
    const isShared = path === undefined && meant.length > 1;
    if (isShared) notes.push(sharedNote(key, meant));
    const own = isShared ? stricter(policy.general, permissions) : permissions;
    for (const { name } of meant) {
      const before = bound.get(name);
      bound.set(name, before === undefined ? own : stricter(before, own));
    }
  }
  return { policy: { ...policy, roots: bound }, notes };
}

function sharedNote(key: string, meant: readonly RuledRoot[]): string {
  const paths = meant.map(({ path }) => quote(path)).join(', ');
  return `${meant.length} roots are called ${quote(key)}, so its rules can only restrict all of them; write the path instead of the name: ${paths}`;
}

/** Returns the path that a key of the rules names, or `undefined` for the name of a root. */
function pathOf(key: string): string | undefined {
  if (/^~[\\/]/.test(key)) return expandHome(key).replace(/(?<=.)[\\/]$/, '');
  if (isFileUri(key)) {
    const path = readFileUri(key, { whole: true, unc: true });
    return typeof path === 'string' ? resolve(path) : undefined;
  }
  return isAbsolute(key) ? resolve(key) : undefined;
}
