import { findImports } from './find-imports.ts';
import type { SourceTree, Violation } from './source-tree.ts';

const rule = 'no-import-cycles';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** No file reaches itself over its imports; those of types count too. */
export function noImportCycles(tree: SourceTree): Violation[] {
  const graph = importGraph(tree);
  const done = new Set<string>();
  return [...graph.keys()].flatMap((file) => findCycles(graph, [file], done)).map(describe);
}

function importGraph(tree: SourceTree): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { file, target } of findImports(tree)) {
    if (target === undefined) continue;
    graph.set(file, (graph.get(file) ?? new Set()).add(target));
  }
  return graph;
}

/** Depth first: an import of a file that is on the way here closes a cycle. */
function findCycles(graph: Graph, way: readonly string[], done: Set<string>): string[][] {
  const file = way.at(-1) ?? '';
  if (done.has(file)) return [];
  const cycles = [...(graph.get(file) ?? [])].flatMap((target) => {
    const start = way.indexOf(target);
    return start === -1 ? findCycles(graph, [...way, target], done) : [[...way.slice(start), target]];
  });
  done.add(file);
  return cycles;
}

function describe(cycle: readonly string[]): Violation {
  return { file: cycle[0] ?? '', rule, message: cycle.join(' → ') };
}
