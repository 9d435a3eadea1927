import { useModel } from '../live/use-model.ts';

/** Removes a root by its path; the message offers to undo it. */
export function useRemoveRoot(): (path: string) => Promise<boolean> {
  const { api, attempt, showToast } = useModel();
  return (root) =>
    attempt(async () => {
      const { name, undo } = await api.post<{ name: string; undo: string }>('/api/roots/remove', { root });
      const run = (): void =>
        void attempt(async () => {
          const back = await api.post<{ name: string }>('/api/roots/undo', { undo });
          showToast({ text: `Took back the removal: ${back.name} is a root again, where it was` });
        });
      showToast({ text: `Removed ${name}. Servers no longer see it`, action: { label: 'Undo', run } });
    });
}
