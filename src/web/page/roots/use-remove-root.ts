import { useModel } from '../live/use-model.ts';

/** Takes a root away at once, by its path; the message that says so takes it back. */
export function useRemoveRoot(): (path: string) => Promise<boolean> {
  const { api, attempt, showToast } = useModel();
  return (root) =>
    attempt(async () => {
      const { name, undo } = await api.post<{ name: string; undo: string }>('/api/roots/remove', { root });
      const run = (): void => void attempt(() => api.post('/api/roots/undo', { undo }));
      showToast({ text: `Removed ${name}. Servers see it no more`, action: { label: 'Undo', run } });
    });
}
