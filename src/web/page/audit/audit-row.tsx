import type { JSX } from 'preact';
import { otherPlace } from '../../../audit/stderr-sink.ts';
import type { NumberedEntry } from '../../wire/wire.ts';
import { clock } from '../parts/format.tsx';
import { Text } from '../parts/text.tsx';

export interface AuditRowProps {
  /** Undefined while it is loading. */
  readonly entry: NumberedEntry | undefined;
  readonly onOpen: (entry: NumberedEntry) => void;
}

export const verdictNames = { allow: 'allowed', deny: 'refused', ask: 'asked' } as const;

/** The end of an operation that was begun and not done: it failed, or the client cancelled it. */
export function unfinished({ outcome }: NumberedEntry): 'failed' | 'cancelled' | undefined {
  return outcome === 'failed' || outcome === 'cancelled' ? outcome : undefined;
}

/** Converts a code to words: `NOT_FOUND` becomes "not found". */
export function codeWords(code: string | undefined): string {
  return code === undefined ? 'it failed' : code.toLowerCase().replaceAll('_', ' ');
}

export const takenBack = 'the client took its request back';

/** One decision. A refusal shows its reason. */
export function AuditRow({ entry, onOpen }: AuditRowProps): JSX.Element {
  if (entry === undefined) return <span class="audit-row waiting-row" aria-hidden="true" />;
  const { time, caller, event, operation, path, root, verdict, reason, code } = entry;
  const place = otherPlace(entry);
  const stopped = unfinished(entry);
  // The reason says why it was allowed, not why it failed.
  const why = stopped === 'failed' ? codeWords(code) : stopped ? takenBack : (reason ?? code ?? '');
  return (
    <button
      type="button"
      class={`audit-row ${stopped ? 'failed' : verdict}`}
      data-row
      onClick={() => onOpen(entry)}
    >
      <time dateTime={time}>{clock(time)}</time>
      <span class="verdict">{stopped ?? verdictNames[verdict]}</span>
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
      {verdict === 'allow' && !stopped ? null : (
        <span class="reason">
          <Text of={why} most={200} />
        </span>
      )}
    </button>
  );
}
