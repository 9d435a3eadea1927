/** The texts of a list that a stranger wrote; nothing if it is no list. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
