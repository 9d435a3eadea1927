import { isFileUri } from '../../path/file-uri.ts';
import { locate } from '../../path/locate.ts';
import { fieldAt } from './manifest/parsed.ts';
import { declare, type MemberRule, texts } from './record/declaration.ts';
import type { Ecosystem } from './record/ecosystem.ts';

// Editors and game engines that open a directory as a project.

export const vscode: Ecosystem = {
  name: 'vscode',
  markers: [
    {
      file: '*.code-workspace',
      kind: 'editor',
      weak: true,
      name: { format: 'file-name' },
      members: declare('json', readEditorMembers),
    },
  ],
  pruned: ['.vscode', '.vscode-insiders', '.vscode-server'],
};

export const rstudio: Ecosystem = {
  name: 'r',
  markers: [{ file: '*.Rproj', kind: 'editor', weak: true, name: { format: 'file-name' } }],
  languages: { R: 'r rmd' },
};

export const jetbrains: Ecosystem = {
  name: 'jetbrains',
  markers: [{ file: '.idea', kind: 'editor', shape: 'directory', weak: true }],
  pruned: ['.idea'],
};

export const obsidian: Ecosystem = {
  name: 'obsidian',
  markers: [{ file: '.obsidian', kind: 'editor', shape: 'directory', weak: true }],
};

export const godot: Ecosystem = { name: 'godot', markers: [{ file: 'project.godot' }] };

export const unreal: Ecosystem = {
  name: 'unreal',
  markers: [{ file: '*.uproject', name: { format: 'file-name' } }],
};

/**
 * Returns the `folders` of a VS Code workspace that lie beneath its directory: relative, absolute, or as a
 * file URI. Folders elsewhere and on remote machines are not members.
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
