import { type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'names-say-what';
const empty = /(?:^|[^a-z])(util|utils|utilities|helper|helpers|manager|managers)(?![a-z])/i;

/** No file or folder is named after nothing in particular. */
export function namesSayWhat(tree: SourceTree): Violation[] {
  return [...sourceFiles(tree)].flatMap(([file]) => {
    const word = empty.exec(file)?.[1];
    return word === undefined ? [] : [{ file, rule, message: `"${word}" does not say what is in it` }];
  });
}
