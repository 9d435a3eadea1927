import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CandidateView } from '../wire.ts';
import type { PickProps } from './folder-browser.tsx';
import { Text } from './text.tsx';
import { useModel } from './use-model.ts';

/** Projects that were found, the likeliest first, each with what speaks for it. */
export function Candidates({ chosen, onPick }: PickProps): JSX.Element {
  const { api, attempt } = useModel();
  const [found, setFound] = useState<readonly CandidateView[]>();
  useEffect(() => {
    void attempt(async () => setFound(await api.get<readonly CandidateView[]>('/api/candidates')));
  }, [api, attempt]);
  if (found === undefined) return <p role="status">Looking for projects…</p>;
  if (found.length === 0) {
    return <p class="none">No project was found that is not a root already. Browse, or type a path above.</p>;
  }
  return (
    <ul class="picks" aria-label="Suggested folders">
      {found.map(({ path, name, badges }) => (
        <li key={path}>
          <button type="button" class="pick" aria-pressed={path === chosen} onClick={() => onPick(path)}>
            <Text of={name} class="strong" most={80} />
            <Text of={path} class="path" most={160} />
            <span class="chips">
              {badges.slice(0, 3).map((badge) => (
                <span key={badge} class="chip plain">
                  <Text of={badge} most={60} />
                </span>
              ))}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
