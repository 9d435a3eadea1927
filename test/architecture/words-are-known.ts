import { findExports } from './find-exports.ts';
import type { SourceTree, Violation } from './source-tree.ts';

const rule = 'words-are-known';
const document = 'ARCHITECTURE.md';

/**
 * An exported type whose name is one word belongs to the vocabulary: the section "Words" of ARCHITECTURE.md has
 * it in bold, once, with its meaning. Each word there is a type that exists.
 */
export function wordsAreKnown(tree: SourceTree): Violation[] {
  const words = boldWords(tree.get(document) ?? '');
  const types = findExports(tree).filter(({ isType }) => isType);
  const names = new Set(types.map(({ name }) => name));
  return [
    ...types
      .filter(({ name }) => /^[A-Z][a-z0-9]*$/.test(name) && !words.includes(name))
      .map(({ file, name }) => ({ file, rule, message: `"${name}" is one word, and not in ${document}` })),
    ...words
      .filter((word) => !names.has(word))
      .map((word) => ({ file: document, rule, message: `no type is called "${word}"` })),
    ...words
      .filter((word, index) => words.indexOf(word) !== index)
      .map((word) => ({ file: document, rule, message: `"${word}" has two meanings` })),
  ];
}

function boldWords(text: string): readonly string[] {
  const section = /^## Words$([^]*?)(?=^## |(?![^]))/m.exec(text)?.[1] ?? '';
  return [...section.matchAll(/\*\*([A-Z]\w*)\*\*/g)].map(([, word = '']) => word);
}
