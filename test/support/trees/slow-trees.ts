import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';

/**
 * So much text that a search takes a second or more, with one match at the end of each file. They are one file, many
 * times.
 */
export function slowText(): TempTree {
  const tree = tempTree();
  const line = 'the quick brown fox jumps over the lazy dog again\n';
  writeFileSync(tree.at('0.txt'), `${line.repeat(180_000)}and here is the needle\n`);
  for (let name = 1; name < 8; name += 1) linkSync(tree.at('0.txt'), tree.at(`${name}.txt`));
  return tree;
}

/** Not to be found by looking for one word. */
export const slowPattern = '(?i)(?:[a-z]+ ){3,20}[a-z]+le$';

/** So many directories that walking through them takes more than a moment. */
export function slowNames(): TempTree {
  const tree = tempTree();
  for (let outer = 0; outer < 50; outer += 1) {
    mkdirSync(tree.at(`${outer}`));
    for (let inner = 0; inner < 160; inner += 1) mkdirSync(tree.at(`${outer}/${inner}`));
  }
  return tree;
}
