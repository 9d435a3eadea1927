/** A tree as it is described, not as it is on a disk. */
export type ModelNode = ModelDirectory | ModelFile | ModelLink;

export interface ModelDirectory {
  readonly kind: 'directory';
  readonly entries: ReadonlyMap<string, ModelNode>;
}

interface ModelFile {
  readonly kind: 'file';
  readonly content: string;
}

interface ModelLink {
  readonly kind: 'link';
  readonly text: string;
}

/** Where a path leads, or why it leads nowhere. */
export type Found = { readonly node: ModelNode } | { readonly refused: Refused };

type Refused = 'INVALID_PATH' | 'OUTSIDE_ROOTS' | 'NOT_FOUND' | 'NOT_A_DIRECTORY' | 'TOO_MANY_LINKS';

/**
 * What a boundary promises, in the fewest words: one name at a time, relative links put in the place of their
 * name, `..` to the directory that we came from, and out of the root is out.
 */
export function lookUp(root: ModelDirectory, path: string, last: 'followed' | 'itself' = 'followed'): Found {
  if (path === '') return { refused: 'INVALID_PATH' };
  if (path.startsWith('/')) return { refused: 'OUTSIDE_ROOTS' };
  const above: ModelDirectory[] = [];
  const names = path.split('/');
  let here: ModelNode = root;
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (here.kind !== 'directory') return { refused: 'NOT_A_DIRECTORY' };
    if (name === '' || name === '.') continue;
    const next: ModelNode | undefined = name === '..' ? above.pop() : here.entries.get(name);
    if (next === undefined) return { refused: name === '..' ? 'OUTSIDE_ROOTS' : 'NOT_FOUND' };
    if (next.kind === 'link' && (names.length > 0 || last === 'followed')) {
      links += 1;
      if (links > 40) return { refused: 'TOO_MANY_LINKS' };
      if (next.text.startsWith('/')) return { refused: 'OUTSIDE_ROOTS' };
      names.unshift(...next.text.split('/'));
      continue;
    }
    if (name !== '..') above.push(here);
    here = next;
  }
  return { node: here };
}
