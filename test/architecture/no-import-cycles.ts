import { findCycles, type Graph } from './cycles.ts';
import { findImports } from './find-imports.ts';
import type { SourceTree, Violation } from './source-tree.ts';

const rule = 'no-import-cycles';

/** No file reaches itself over its imports; those of types count too. */
export function noImportCycles(tree: SourceTree): Violation[] {
  return findCycles(importGraph(tree)).map(describe);
}

function importGraph(tree: SourceTree): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { file, target } of findImports(tree)) {
    if (target === undefined) continue;
    graph.set(file, (graph.get(file) ?? new Set()).add(target));
  }
  return graph;
}

function describe(cycle: readonly string[]): Violation {
  return { file: cycle[0] ?? '', rule, message: cycle.join(' → ') };
}
