import type { JSX } from 'preact';
import type { ConnectionView } from '../../wire/wire.ts';
import { Text } from '../parts/text.tsx';

const words = {
  chosen: 'chosen',
  refused: 'refused',
  absent: 'nothing found',
  passed: 'not needed',
} as const;

/** Explains the choice of the project: every source in order, and the remedy. */
export function Trail({
  connection: { trail, refusal, project },
}: {
  readonly connection: ConnectionView;
}): JSX.Element | null {
  if (trail.length === 0 && refusal === undefined) return null;
  return (
    <details class="trail" open={project === undefined}>
      <summary>{project === undefined ? 'Why no project?' : 'Why this project?'}</summary>
      <ol>
        {trail.map(({ source, outcome, offered, reason }) => (
          <li key={source} class={outcome}>
            <span class="source">{source}</span>
            <span class="outcome">{words[outcome]}</span>
            <span class="because">
              {offered.slice(0, 3).map((place) => (
                <Text key={place} of={place} class="path" most={120} />
              ))}
              <Text of={reason} class="hint" />
            </span>
          </li>
        ))}
      </ol>
      {refusal === undefined ? null : (
        <p class="remedy">
          <Text of={refusal.message} />
          <Text of={refusal.hint} class="strong" most={1_000} />
        </p>
      )}
    </details>
  );
}
