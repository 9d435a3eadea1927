import { posix } from 'node:path';
import { inlineCode } from '../support/docs/markdown.ts';
import type { SourceTree, Violation } from './source-tree.ts';

const rule = 'folders-are-documented';
const document = 'ARCHITECTURE.md';

/**
 * ARCHITECTURE.md and the tree name the same folders. In it, inline code that is a relative path with `/` at
 * its end is a folder, of the repository or of `src/`; code blocks do not count.
 */
export function foldersAreDocumented(tree: SourceTree): Violation[] {
  const text = tree.get(document);
  if (text === undefined) return [violation('it is missing')];
  const named = [...new Set(inlineCode(text).filter(isFolder).map(normalize))];
  const folders = foldersOf(tree);
  return [
    ...named
      .filter((name) => !folders.has(name) && !folders.has(`src/${name}`))
      .map((name) => violation(`it names "${name}/", which does not exist`)),
    ...[...folders]
      .filter((folder) => /^src\/[^/]+$/.test(folder))
      .filter((folder) => !named.includes(folder) && !named.includes(posix.basename(folder)))
      .map((folder) => violation(`it does not name "${folder}/"`)),
  ];
}

function violation(message: string): Violation {
  return { file: document, rule, message };
}

function isFolder(code: string): boolean {
  return /^(?:[\w.@-]+\/)+$/.test(code);
}

function normalize(code: string): string {
  return posix.normalize(code).replace(/\/$/, '');
}

function foldersOf(tree: SourceTree): Set<string> {
  const folders = new Set<string>();
  for (const file of tree.keys()) {
    for (let path = posix.dirname(file); path !== '.'; path = posix.dirname(path)) folders.add(path);
  }
  return folders;
}
