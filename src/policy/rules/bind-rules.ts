import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { quote } from '../../base/quote.ts';
import { isFileUri, readFileUri } from '../../path/file-uri.ts';
import { stricter } from './narrow.ts';
import type { CompiledPermissions, Policy } from './policy.ts';

/** A root that rules may be about. */
export interface RuledRoot {
  /** What it is called among the others: no two have the same. */
  readonly name: string;
  /** What it was called by whoever named it. */
  readonly given: string;
  readonly path: string;
}

export interface BoundRules {
  /** With the rules of each root under the name that only this root has. */
  readonly policy: Policy;
  /** What whoever wrote the rules should know, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Finds the rules of each root: by its path, or by the name that it was given. A name that several roots were given
 * cannot tell which of them is meant: what its rules deny is denied in all of them, and what they would permit
 * beyond the general rules in none. Where a path and a name both fit, both must permit.
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
  return `${meant.length} roots are called ${quote(key)}, so that its rules only take away in all of them; write the path instead of the name: ${paths}`;
}

/** The path that a key of the rules names; `undefined` for the name of a root. */
function pathOf(key: string): string | undefined {
  if (/^~[\\/]/.test(key)) return join(homedir(), key.slice(2)).replace(/(?<=.)[\\/]$/, '');
  if (isFileUri(key)) {
    const path = readFileUri(key, { whole: true, unc: true });
    return typeof path === 'string' ? resolve(path) : undefined;
  }
  return isAbsolute(key) ? resolve(key) : undefined;
}
