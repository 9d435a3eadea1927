/** Paths in the order in which a person reads a tree: a directory, then what is in it, then its neighbour. */
export function orderPaths(paths: Iterable<string>): readonly string[] {
  return [...paths]
    .map((path) => ({ path, key: path.replaceAll('/', '\0') }))
    .toSorted((one, other) => compare(one.key, other.key))
    .map(({ path }) => path);
}

/** By code, not by language: the same everywhere. */
export function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
