import type { JSX } from 'preact';
import { describeChanges } from '../../../audit/stderr-sink.ts';
import type { NumberedEntry } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';
import { codeWords, hasFailed } from './audit-row.tsx';

export interface AuditDetailProps {
  readonly entry: NumberedEntry;
  readonly onClose: () => void;
}

const fields = [
  ['time', 'When'],
  ['caller', 'Client'],
  ['tool', 'Tool'],
  ['detail', 'What for'],
  ['root', 'Root'],
  ['place', 'Really'],
  ['rule', 'Rule'],
  ['reason', 'Reason'],
  ['outcome', 'Outcome'],
  ['code', 'Code'],
] as const satisfies readonly (readonly [keyof NumberedEntry, string])[];

/** One decision with everything that is known, and the way on. */
export function AuditDetail({ entry, onClose }: AuditDetailProps): JSX.Element {
  const { wish } = useModel();
  const { verdict, operation, event, path, duration } = entry;
  const failed = hasFailed(entry);
  const words = failed ? 'Failed' : { allow: 'Allowed', deny: 'Refused', ask: 'Asked' }[verdict];
  const tryIt = (): void => {
    // Names are not unique; the server knows which place an entry of this name means.
    wish.value = { path, operation, ...(entry.root === undefined ? {} : { root: entry.root }) };
    onClose();
    location.hash = '#try';
  };
  return (
    <Dialog kind="sheet" title={`${words}: ${event ?? operation}`} onClose={onClose}>
      <Text of={path} class="path big" most={4_096} />
      {verdict === 'allow' && !failed ? null : <p class="remedy">{remedyFor(entry)}</p>}
      <dl class="facts">
        {fields.map(([key, label]) =>
          entry[key] === undefined ? null : (
            <div key={key}>
              <dt>{label}</dt>
              <dd>
                <Text of={entry[key]} most={1_024} />
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

/** What a person can do about a refusal, if it was not meant. */
function remedyFor(entry: NumberedEntry): string {
  const { rule, code, root, verdict, changed } = entry;
  if (hasFailed(entry)) {
    const begun =
      verdict === 'allow' ? 'It was allowed, and then it did not work' : 'It was stopped half-way';
    return `${begun}: ${codeWords(code)}. ${changed === undefined ? '' : 'Something was changed before.'}`;
  }
  if (rule === 'outside-roots' || code === 'OUTSIDE_ROOTS') {
    return 'No root holds it. If servers should see it, add the folder under Roots.';
  }
  if (rule.startsWith('deny:')) {
    return `The restriction ${rule.slice('deny:'.length)} closes it. Secrets are closed by themselves; other restrictions are chips of the root.`;
  }
  if (rule.endsWith(':no')) return 'You were asked, and did not say yes in time.';
  return root === undefined
    ? 'Nothing permits it.'
    : 'The root does not permit this operation. Its switches are under Roots.';
}
