import { posix } from 'node:path';
import { findCycles, type Graph } from './cycles.ts';
import { findImports, type ImportReference } from './find-imports.ts';
import { roomOf } from './rooms.ts';
import { isTest, type SourceTree, type Violation } from './source-tree.ts';

const rule = 'sub-rooms-point-one-way';

/**
 * Within a room, the top folder holds doors and assembly: it imports sub-rooms, and no sub-room imports a value from
 * it. Between sub-rooms, imports of values make no cycle. Imports of types may go any way.
 */
export function subRoomsPointOneWay(tree: SourceTree): Violation[] {
  const inner = findImports(tree).filter(staysInRoom);
  const upward = inner.filter(({ file, target }) => isTop(folderOf(target)) && !isTop(folderOf(file)));
  return [
    ...upward.map(({ file, line, target }) => violation(file, `line ${line}: a sub-room imports ${target}`)),
    ...findCycles(graphOf(inner)).map((cycle) => violation(cycle[0] ?? '', cycle.join(' → '))),
  ];
}

function staysInRoom({ file, target, typeOnly }: ImportReference): boolean {
  return target !== undefined && !typeOnly && !isTest(file) && roomOf(file) === roomOf(target);
}

/** Folders that import from each other. The top of a room has its own rule. */
function graphOf(imports: readonly ImportReference[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (from === to || isTop(from) || isTop(to)) continue;
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

function folderOf(file: string | undefined): string {
  return posix.dirname(file ?? '');
}

function isTop(folder: string): boolean {
  return folder.split('/').length <= 2;
}

function violation(file: string, message: string): Violation {
  return { file, rule, message };
}
