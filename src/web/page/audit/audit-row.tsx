import type { JSX } from 'preact';
import type { NumberedEntry } from '../../wire/wire.ts';
import { clock } from '../parts/format.tsx';
import { Text } from '../parts/text.tsx';

export interface AuditRowProps {
  /** Not there yet. */
  readonly entry: NumberedEntry | undefined;
  readonly onOpen: (entry: NumberedEntry) => void;
}

export const verdictNames = { allow: 'allowed', deny: 'refused', ask: 'asked' } as const;

/** It was begun, and then something went wrong. */
export function hasFailed({ outcome }: NumberedEntry): boolean {
  return outcome === 'failed';
}

/** A code as words: `NOT_FOUND` is "not found". */
export function codeWords(code: string | undefined): string {
  return code === undefined ? 'it did not work' : code.toLowerCase().replaceAll('_', ' ');
}

/** One decision. A refusal says why at once. */
export function AuditRow({ entry, onOpen }: AuditRowProps): JSX.Element {
  if (entry === undefined) return <span class="audit-row waiting-row" aria-hidden="true" />;
  const { time, caller, event, operation, path, place, root, verdict, reason, code } = entry;
  const failed = hasFailed(entry);
  // The reason of a decision says why it was allowed: no word about what went wrong then.
  const why = failed ? codeWords(code) : (reason ?? code ?? '');
  return (
    <button
      type="button"
      class={`audit-row ${failed ? 'failed' : verdict}`}
      data-row
      onClick={() => onOpen(entry)}
    >
      <time dateTime={time}>{clock(time)}</time>
      <span class="verdict">{failed ? 'failed' : verdictNames[verdict]}</span>
      <span class="what">
        <span class="op">{event ?? operation}</span> <Text of={path} class="path" most={160} />
        {place === undefined ? null : (
          <>
            {' '}
            is <Text of={place} class="path" most={160} />
          </>
        )}
      </span>
      <span class="who">
        {root === undefined ? null : <Text of={root} class="where" most={40} />}
        {caller === undefined ? null : <Text of={caller} class="hint" most={40} />}
      </span>
      {verdict === 'allow' && !failed ? null : (
        <span class="reason">
          <Text of={why} most={200} />
        </span>
      )}
    </button>
  );
}
