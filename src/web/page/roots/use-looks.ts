import { useEffect, useState } from 'preact/hooks';
import type { LookView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';

/** How long to wait for the end of typing. Milliseconds. */
const typing = 200;

/** What the server says about paths, while they are typed or picked. */
export function useLooks(paths: readonly string[]): readonly LookView[] | undefined {
  const { api } = useModel();
  const [looks, setLooks] = useState<readonly LookView[]>();
  const key = JSON.stringify(paths);
  useEffect(() => {
    setLooks(undefined);
    const wanted = paths.map((path) => path.trim()).filter((path) => path !== '');
    if (wanted.length === 0) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const asked = wanted.map((path) => api.get<LookView>('/api/look', { path }, stop.signal));
      Promise.all(asked).then(setLooks, () => {});
    }, typing);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, api]);
  return looks;
}
