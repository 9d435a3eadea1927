import { fieldAt } from './field-at.ts';
import { texts } from './texts.ts';
import type { MemberRule } from './member-rule.ts';

/** `workspaces` of a package.json, as npm, Yarn and Bun read it: a list, or an object with `packages`. */
export function readNodeMembers(manifest: unknown): readonly MemberRule[] {
  const workspaces = fieldAt(manifest, ['workspaces']);
  return texts(fieldAt(workspaces, ['packages']) ?? workspaces).map(toRule);
}

/** `packages` of a pnpm-workspace.yaml. Here exceptions hold wherever they stand. */
export function readPnpmMembers(manifest: unknown): readonly MemberRule[] {
  const rules = texts(fieldAt(manifest, ['packages'])).map(toRule);
  return rules.toSorted((one, other) => Number(one.except) - Number(other.except));
}

/** `workspace` of a deno.json: a list, or an object with `members`. */
export function readDenoMembers(manifest: unknown): readonly MemberRule[] {
  const workspace = fieldAt(manifest, ['workspace']);
  return texts(fieldAt(workspace, ['members']) ?? workspace).map(toRule);
}

function toRule(text: string): MemberRule {
  return text.startsWith('!') ? { pattern: text.slice(1), except: true } : { pattern: text, except: false };
}
