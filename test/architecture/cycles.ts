/** Which node leads to which. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The cycles of a graph, each as the way from a node back to itself. */
export function findCycles(graph: Graph): readonly string[][] {
  const done = new Set<string>();
  return [...graph.keys()].flatMap((node) => follow(graph, [node], done));
}

/** Depth first: an edge to a node that is on the way here closes a cycle. */
function follow(graph: Graph, way: readonly string[], done: Set<string>): string[][] {
  const node = way.at(-1) ?? '';
  if (done.has(node)) return [];
  const cycles = [...(graph.get(node) ?? [])].flatMap((next) => {
    const start = way.indexOf(next);
    return start === -1 ? follow(graph, [...way, next], done) : [[...way.slice(start), next]];
  });
  done.add(node);
  return cycles;
}
