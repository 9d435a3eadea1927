import type { Root } from '../../path/root.ts';
import type { RuledRoot } from '../../policy/rules/bind-rules.ts';
import { createNaming } from '../../base/naming.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Rules go by the name of a root, and a client chooses the names of its own. Where the operator named
 * directories, the names of those and of the rules are the operator's: a client root that bears one gets
 * another, and so does one that would get it because two have the same.
 */
export function nameSafely(roots: readonly Root[], { ceiling, policy }: NamingRules): readonly Root[] {
  if (ceiling === undefined) return roots;
  const own = new Set(ceiling.map(({ path }) => path));
  const called = ruledCeiling(ceiling).flatMap(({ name, given }) => [name, given]);
  const reserved = new Set([...called, ...policy.roots.keys()]);
  const apart = createNaming(reserved);
  return roots.map((root) => {
    if (own.has(root.path)) return root;
    const name = apart(reserved.has(root.name) ? `${root.name} (client)` : root.name);
    return name === root.name ? root : { ...root, name };
  });
}

/** The operator's directories as rules see them: a workspace tells two of one name apart in the same way. */
export function ruledCeiling(ceiling: readonly Root[]): readonly RuledRoot[] {
  const apart = createNaming();
  return ceiling.map(({ name, path }) => ({ name: apart(name), given: name, path }));
}

/** All that rules may be about: the operator's directories, and what lies outside of them. */
export function ruledRoots(
  { ceiling = [] }: Pick<Settings, 'ceiling'>,
  roots: readonly Root[],
  open: Workspace,
): readonly RuledRoot[] {
  const given = new Map(roots.map(({ path, name }) => [path, name]));
  const others = open.roots.filter((root) => root.ceiling === undefined);
  return [
    ...ruledCeiling(ceiling),
    ...others.map(({ root: { name, path } }) => ({ name, given: given.get(path) ?? name, path })),
  ];
}

type NamingRules = Pick<Settings, 'ceiling' | 'policy'>;
