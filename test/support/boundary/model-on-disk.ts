import { tempTree, type TempTree } from '../../../src/testing/temp-tree.ts';
import type { ModelDirectory } from './model.ts';
import { age } from '../trees/snapshot.ts';

/** What must never be seen. */
export const secret = 'SECRET';

/** A model as a real tree `ROOT`, beside an `OUT` with the same kind of names. */
export function createModelTree(model: ModelDirectory): TempTree {
  const tree = tempTree([
    'ROOT/',
    'OTHER/spare',
    `OUT/a = ${secret}`,
    `OUT/b = ${secret}`,
    `OUT/c/a = ${secret}`,
    `OUT/c/b = ${secret}`,
  ]);
  tree.add(...entriesOf(model, 'ROOT').map((entry) => fill(entry, tree)));
  age(tree.path);
  return tree;
}

export function fill(text: string, tree: TempTree): string {
  return text.replaceAll('/$ROOT', tree.at('ROOT')).replaceAll('/$OUT', tree.at('OUT'));
}

function entriesOf({ entries }: ModelDirectory, above: string): readonly string[] {
  const found: string[] = [];
  for (const [name, node] of entries) {
    const path = `${above}/${name}`;
    if (node.kind === 'directory') found.push(`${path}/`, ...entriesOf(node, path));
    else found.push(node.kind === 'link' ? `${path} => ${node.text}` : `${path} = ${node.content}`);
  }
  return found;
}
