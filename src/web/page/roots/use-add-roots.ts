import { useModel } from '../live/use-model.ts';

/** Adds roots one by one, and tells which. What was refused is told by its reason, and returned. */
export function useAddRoots(): (paths: readonly string[]) => Promise<readonly string[]> {
  const { api, attempt, say } = useModel();
  return async (paths) => {
    const names: string[] = [];
    const left: string[] = [];
    for (const path of paths) {
      const isAdded = await attempt(async () => {
        const { name } = await api.post<{ name: string }>('/api/roots/add', { path });
        names.push(name);
      });
      if (!isAdded) left.push(path);
    }
    if (names.length > 0) say({ text: `Added ${listed(names)}. Servers may read and list there` });
    return left;
  };
}

/** The first few by name. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const [last = '', ...before] = shown.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`;
}
