/**
 * Gives names that nobody has: `app`, `app-2`, `app-3`; the first one keeps its name. It counts on from where it
 * was, so that thousands of one name cost no more than thousands of different ones.
 */
export function createNaming(taken: Iterable<string> = []): (name: string) => string {
  const names = new Set(taken);
  const counts = new Map<string, number>();
  return (name) => {
    let count = counts.get(name) ?? 1;
    let free = name;
    while (names.has(free)) {
      count += 1;
      free = `${name}-${count}`;
    }
    counts.set(name, count);
    names.add(free);
    return free;
  };
}
