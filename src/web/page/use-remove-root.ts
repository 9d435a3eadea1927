import { useModel } from './use-model.ts';

/** Takes a root away at once; the message that says so takes it back. */
export function useRemoveRoot(): (root: string) => Promise<boolean> {
  const { api, attempt, say } = useModel();
  return (root) =>
    attempt(async () => {
      const { name, revision } = await api.post<{ name: string; revision: number }>('/api/roots/remove', {
        root,
      });
      const run = (): void => void attempt(() => api.post('/api/roots/undo', { revision }));
      say({ text: `Removed ${name}. Servers see it no more`, action: { label: 'Undo', run } });
    });
}
