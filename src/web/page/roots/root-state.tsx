import type { JSX } from 'preact';
import type { RootView } from '../../wire/wire.ts';
import { Text } from '../parts/text.tsx';

export type StateTone = 'good' | 'warn' | 'bad' | 'dim';

export interface RootVerdict {
  readonly look: StateTone;
  readonly word: string;
  readonly reason: string;
}

/** Summarizes a root for a quick look: gone, risky, or fine. */
export function judge({ state, reason, findings }: RootView): RootVerdict {
  if (state === 'unknown') return { look: 'dim', word: 'looking', reason };
  if (state !== 'available' && state !== 'returned') return { look: 'bad', word: words[state], reason };
  const [worst] = findings.toSorted((one) => (one.severity === 'error' ? -1 : 1));
  if (worst !== undefined) return { look: 'warn', word: 'risky', reason: reasonIn(worst.message) };
  return { look: 'good', word: 'available', reason };
}

const words = {
  missing: 'missing',
  moved: 'moved',
  unmounted: 'not mounted',
  'no-permission': 'no permission',
} as const;

/** Removes the beginning of a message such as `Cannot use "x": it is broad`, which the row already shows. */
function reasonIn(message: string): string {
  return message.replace(/^.*": /s, '');
}

export function StateMark({ root }: { readonly root: RootView }): JSX.Element {
  const { look, word, reason } = judge(root);
  return (
    <span class={`state ${look}`}>
      <span class="dot" aria-hidden="true" />
      {word}
      {look === 'good' ? null : (
        <>
          <span class="separator">: </span>
          <Text of={reason} most={160} class="state-reason" />
        </>
      )}
    </span>
  );
}
