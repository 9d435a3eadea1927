/** Returns the name that a person may have meant. Up to a third of the letters may be wrong. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, typed.length / 3);
  const [nearest] = names
    // The text may have any length, and the time grows with it.
    .filter(({ length }) => Math.abs(length - typed.length) <= most)
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance);
  return nearest?.name;
}

/** How many letters have to be put in, taken out or replaced. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of one.split('').entries()) {
    const next = [index + 1];
    for (const [at, wanted] of other.split('').entries()) {
      const replaced = (row[at] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
