import { useEffect, useState } from 'preact/hooks';

const query = '(max-width: 820px)';

/** Whether there is little room: rows stand higher then. The style sheet asks the same question. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = (): void => setNarrow(media.matches);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, []);
  return narrow;
}
