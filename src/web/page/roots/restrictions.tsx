import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DenyConfig } from '../../../policy/rules/policy-config.ts';
import { useModel } from '../live/use-model.ts';
import { Icon } from '../parts/icon.tsx';
import { displayedText, Text } from '../parts/text.tsx';

export interface RestrictionsProps {
  /** The path of the root. */
  readonly root: string;
  readonly rules: readonly DenyConfig[];
}

/** Globs that stay blocked, as chips. */
export function Restrictions({ root, rules }: RestrictionsProps): JSX.Element {
  const { api, attempt, frozen } = useModel();
  const [glob, setGlob] = useState('');
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (glob.trim() === '') return;
    if (await attempt(() => api.post('/api/roots/restrict', { root, glob: glob.trim() }))) setGlob('');
  };
  return (
    <section>
      <h3>Restrictions</h3>
      <p class="hint">
        These stay blocked, whatever else is allowed. Secrets such as .env are always blocked.
      </p>
      <ul class="chips">
        {rules.map(({ glob: pattern, operations }) => (
          <li key={pattern} class="chip deny">
            <Text of={pattern} most={80} />
            {operations === undefined || operations.length === 5 ? null : (
              <span> ({operations.join(', ')})</span>
            )}
            <button
              type="button"
              class="chip-cross"
              disabled={frozen.value}
              aria-label={`Remove the restriction ${displayedText(pattern)}`}
              onClick={() => void attempt(() => api.post('/api/roots/unrestrict', { root, glob: pattern }))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <form class="inline" onSubmit={(event) => void add(event)}>
        <input
          value={glob}
          placeholder="secret/** or *.pem"
          aria-label="New restriction"
          onInput={({ currentTarget }) => setGlob(currentTarget.value)}
        />
        <button type="submit" disabled={frozen.value}>
          Restrict
        </button>
      </form>
    </section>
  );
}
