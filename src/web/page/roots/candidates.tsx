import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CandidateView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { displayedText, Text } from '../parts/text.tsx';

export interface CandidatesProps {
  readonly chosen: readonly string[];
  readonly onToggle: (path: string) => void;
}

/** Projects that were found, the best first, each with reasons. Any number can be selected. */
export function Candidates({ chosen, onToggle }: CandidatesProps): JSX.Element {
  const { api, attempt } = useModel();
  const [found, setFound] = useState<readonly CandidateView[]>();
  useEffect(() => {
    void attempt(async () => setFound(await api.get<readonly CandidateView[]>('/api/candidates')));
  }, [api, attempt]);
  if (found === undefined) return <p role="status">Looking for projects…</p>;
  if (found.length === 0) {
    return <p class="none">No other projects were found. Browse, or type a path above.</p>;
  }
  return (
    <ul class="picks" aria-label="Suggested folders">
      {found.map((candidate) => (
        <Candidate
          key={candidate.path}
          candidate={candidate}
          isChosen={chosen.includes(candidate.path)}
          onToggle={onToggle}
        />
      ))}
    </ul>
  );
}

interface CandidateProps {
  readonly candidate: CandidateView;
  readonly isChosen: boolean;
  readonly onToggle: (path: string) => void;
}

function Candidate({ candidate: { path, name, badges }, isChosen, onToggle }: CandidateProps): JSX.Element {
  return (
    <li>
      <label class="pick">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={`${displayedText(name)}, ${displayedText(path)}`}
          onChange={() => onToggle(path)}
        />
        <Text of={name} class="strong" most={80} />
        <Text of={path} class="path" most={160} />
        <span class="chips">
          {badges.slice(0, 3).map((badge) => (
            <span key={badge} class="chip plain">
              <Text of={badge} most={60} />
            </span>
          ))}
        </span>
      </label>
    </li>
  );
}
