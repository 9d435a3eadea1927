import { isFileUri } from '../../path/file-uri.ts';
import { locate } from '../../path/locate.ts';
import { fieldAt } from './field-at.ts';
import type { MemberRule } from './member-rule.ts';
import { texts } from './texts.ts';

/**
 * The `folders` of a VS Code workspace that lie beneath its directory: relative, absolute, or as a file URI.
 * Folders elsewhere, and those of remote machines, are nobody's member.
 */
export function readEditorMembers(workspace: unknown, directory: string): readonly MemberRule[] {
  const folders = fieldAt(workspace, ['folders']);
  if (!Array.isArray(folders)) return [];
  const paths = texts(folders.map((folder) => fieldAt(folder, ['path'])));
  const uris = texts(folders.map((folder) => fieldAt(folder, ['uri'])));
  return [...paths, ...uris.filter(isFileUri)]
    .map((place) => locate([directory], place)?.relative)
    .filter((relative) => relative !== undefined)
    .map((pattern) => ({ pattern, literal: true }));
}
