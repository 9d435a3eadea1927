import type { Root } from '../path/root.ts';
import { createNaming } from '../workspace/create-naming.ts';
import type { Settings } from './settings.ts';

/**
 * Rules go by the name of a root, and a client chooses the names of its own. Where the operator named
 * directories, the names of those and of the rules are the operator's: a client root that bears one gets
 * another, and so does one that would get it because two have the same.
 */
export function nameSafely(roots: readonly Root[], { ceiling, policy }: NamingRules): readonly Root[] {
  if (ceiling === undefined) return roots;
  const own = new Set(ceiling.map(({ path }) => path));
  const reserved = new Set([...ceiling.map(({ name }) => name), ...policy.roots.keys()]);
  const apart = createNaming(reserved);
  return roots.map((root) => {
    if (own.has(root.path)) return root;
    const name = apart(reserved.has(root.name) ? `${root.name} (client)` : root.name);
    return name === root.name ? root : { ...root, name };
  });
}

type NamingRules = Pick<Settings, 'ceiling' | 'policy'>;
