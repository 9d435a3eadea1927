import { fieldAt } from './field-at.ts';
import type { MemberRule } from './member-rule.ts';
import { texts } from './texts.ts';

const dependencyTables = ['dependencies', 'dev-dependencies', 'build-dependencies'] as const;

/**
 * `[workspace]` of a Cargo.toml: `members`, and the path dependencies of the manifest itself, without what
 * lies in an excluded directory. A member that is named wins over an exclusion, one that a glob matches does
 * not. Path dependencies of members are not followed.
 */
export function readCargoMembers(manifest: unknown): readonly MemberRule[] {
  const workspace = fieldAt(manifest, ['workspace']);
  if (workspace === undefined) return [];
  const members = texts(fieldAt(workspace, ['members']));
  const dependencies = dependencyTables.flatMap((table) => pathsOf(fieldAt(manifest, [table])));
  return [
    ...members.map((pattern) => ({ pattern })),
    ...dependencies.map((pattern) => ({ pattern, literal: true })),
    ...texts(fieldAt(workspace, ['exclude'])).map((pattern) => ({ pattern: `${pattern}/**`, except: true })),
    ...members.map((pattern) => ({ pattern, literal: true })),
  ];
}

function pathsOf(dependencies: unknown): readonly string[] {
  if (typeof dependencies !== 'object' || dependencies === null) return [];
  return texts(Object.values(dependencies).map((dependency) => fieldAt(dependency, ['path'])));
}
