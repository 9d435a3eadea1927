import { posix } from 'node:path';
import type { SourceTree } from './source-tree.ts';

/** The file of the repository that a specifier leads to, if any; it need not exist. */
export function resolveImport(tree: SourceTree, from: string, specifier: string): string | undefined {
  const [, door] = /^rootward(?:\/(.+))?$/.exec(specifier) ?? [];
  if (specifier === 'rootward') return 'src/index.ts';
  if (door !== undefined) return `src/${door}/index.ts`;
  if (!/^\.{1,2}\//.test(specifier)) return undefined;
  const path = posix.join(posix.dirname(from), specifier.replace(/[?#].*$/, ''));
  const typescript = path.replace(/\.([cm]?)js$/, '.$1ts');
  return !tree.has(path) && tree.has(typescript) ? typescript : path;
}
