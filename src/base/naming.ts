/**
 * Creates a function that makes names unique: `app`, `app-2`, `app-3`. It remembers the last number of each
 * name, so that thousands of equal names take linear time.
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
