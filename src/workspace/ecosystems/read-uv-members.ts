import { fieldAt } from './field-at.ts';
import type { MemberRule } from './member-rule.ts';
import { texts } from './texts.ts';

/** `[tool.uv.workspace]` of a pyproject.toml: `members` without `exclude`. */
export function readUvMembers(manifest: unknown): readonly MemberRule[] {
  const workspace = fieldAt(manifest, ['tool', 'uv', 'workspace']);
  return [
    ...texts(fieldAt(workspace, ['members'])).map((pattern) => ({ pattern })),
    ...texts(fieldAt(workspace, ['exclude'])).map((pattern) => ({ pattern, except: true })),
  ];
}
