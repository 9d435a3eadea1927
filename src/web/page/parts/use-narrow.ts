import { useEffect, useState } from 'preact/hooks';

const query = '(max-width: 820px)';

/** Tells whether the window is narrow, where rows are higher. The style sheet has the same query. */
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
