import type { JSX } from 'preact';
import { describeChanges, linesIn } from '../../../audit/stderr-sink.ts';
import type { NumberedEntry } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';
import { codeWords, takenBack, unfinished } from './audit-row.tsx';

export interface AuditDetailProps {
  readonly entry: NumberedEntry;
  readonly onClose: () => void;
}

const fields = [
  ['time', 'When'],
  ['caller', 'Client'],
  ['session', 'Session'],
  ['tool', 'Tool'],
  ['detail', 'What for'],
  ['root', 'Root'],
  ['place', 'Really'],
  ['bytes', 'Bytes'],
  ['rule', 'Rule'],
  ['reason', 'Reason'],
  ['outcome', 'Outcome'],
  ['code', 'Code'],
] as const satisfies readonly (readonly [keyof NumberedEntry, string])[];

/** Shows one decision with all its data, and what to do about it. */
export function AuditDetail({ entry, onClose }: AuditDetailProps): JSX.Element {
  const { wish } = useModel();
  const { verdict, operation, event, path, duration } = entry;
  const stopped = unfinished(entry);
  const words = stopped
    ? { failed: 'Failed', cancelled: 'Cancelled' }[stopped]
    : { allow: 'Allowed', deny: 'Refused', ask: 'Asked' }[verdict];
  const tryIt = (): void => {
    // Names are not unique; the server finds the root that an entry with this name means.
    wish.value = { path, operation, ...(entry.root === undefined ? {} : { root: entry.root }) };
    onClose();
    location.hash = '#try';
  };
  return (
    <Dialog kind="sheet" title={`${words}: ${event ?? operation}`} onClose={onClose}>
      <Text of={path} class="path big" most={4_096} />
      {verdict === 'allow' && !stopped ? null : <p class="remedy">{remedyFor(entry)}</p>}
      <dl class="facts">
        {fields.map(([key, label]) =>
          entry[key] === undefined ? null : (
            <div key={key}>
              <dt>{label}</dt>
              <dd>
                <Text of={String(entry[key])} most={1_024} />
              </dd>
            </div>
          ),
        )}
        {entry.changed === undefined ? null : (
          <div>
            <dt>Changed</dt>
            <dd>
              <Text of={describeChanges(entry.changed)} most={2_048} />
            </dd>
          </div>
        )}
        {linesIn(entry) === undefined ? null : (
          <div>
            <dt>Lines</dt>
            <dd>{linesIn(entry)}</dd>
          </div>
        )}
        <div>
          <dt>Took</dt>
          <dd>{duration} ms</dd>
        </div>
      </dl>
      {event === undefined ? (
        <button type="button" onClick={tryIt}>
          Try it step by step
        </button>
      ) : null}
    </Dialog>
  );
}

/** Returns advice about a refusal or failure. */
function remedyFor(entry: NumberedEntry): string {
  const { rule, code, root, verdict, changed } = entry;
  const stopped = unfinished(entry);
  if (stopped) {
    const begun = verdict === 'allow' ? 'It was allowed, but failed' : 'It was stopped halfway';
    const end = stopped === 'failed' ? `${begun}: ${codeWords(code)}` : `It was not done: ${takenBack}`;
    return `${end}. ${changed === undefined ? '' : 'Some changes were already made.'}`;
  }
  if (rule.startsWith('boundary:')) return 'No permission allows this; see the reason.';
  if (rule === 'outside-roots' || code === 'OUTSIDE_ROOTS') {
    return 'It is outside your roots. If servers should see it, add the folder under Roots.';
  }
  if (rule.startsWith('deny:')) {
    return `Blocked by the restriction ${rule.slice('deny:'.length)}. Secrets are always blocked; you can remove other restrictions in the details of the root.`;
  }
  if (rule.endsWith(':no')) return 'You were asked, and did not allow it in time.';
  return root === undefined
    ? 'No rule allows it.'
    : 'The root does not allow this operation. You can change that under Roots.';
}
