import type { JSX } from 'preact';
import type { NumberedEntry } from '../wire.ts';
import { clock } from './format.ts';
import { Text } from './text.tsx';

export interface AuditRowProps {
  /** Not there yet. */
  readonly entry: NumberedEntry | undefined;
  readonly onOpen: (entry: NumberedEntry) => void;
}

const words = { allow: 'allowed', deny: 'refused', ask: 'asked' } as const;

/** One decision. A refusal says why at once. */
export function AuditRow({ entry, onOpen }: AuditRowProps): JSX.Element {
  if (entry === undefined) return <span class="audit-row waiting-row" aria-hidden="true" />;
  const { time, caller, event, operation, path, root, verdict, reason, outcome, code } = entry;
  const failed = verdict === 'allow' && outcome === 'failed';
  return (
    <button type="button" class={`audit-row ${verdict}`} data-row onClick={() => onOpen(entry)}>
      <time dateTime={time}>{clock(time)}</time>
      <span class="verdict">{failed ? 'failed' : words[verdict]}</span>
      <span class="what">
        <span class="op">{event ?? operation}</span> <Text of={path} class="path" most={160} />
      </span>
      <span class="who">
        {root === undefined ? null : <Text of={root} most={40} />}
        {caller === undefined ? null : <Text of={caller} class="hint" most={40} />}
      </span>
      {verdict === 'allow' && !failed ? null : (
        <span class="reason">
          <Text of={reason ?? code ?? ''} most={200} />
        </span>
      )}
    </button>
  );
}
