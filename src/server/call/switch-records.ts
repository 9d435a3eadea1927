import type { AuditEntry } from '../../audit/entry.ts';
import type { AuditSink } from '../../audit/sink.ts';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import type { RootwardError } from '../../errors.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { Switched } from '../connection/connection-memory.ts';
import { originOf } from '../connection/connection.ts';
import type { Attachment } from './attachments.ts';
import type { Call } from './call.ts';

/** The operations that a yes to another project allows, for people: `read, list; asks before write`. */
export function describePermitted({ general: { verdicts } }: Policy): string {
  const those = (verdict: string): readonly Operation[] =>
    operations.filter((operation) => verdicts[operation].verdict === verdict);
  const [allowed, asked] = [those('allow'), those('ask')];
  return [
    ...(allowed.length > 0 ? [allowed.join(', ')] : []),
    ...(asked.length > 0 ? [`asks before ${asked.join(', ')}`] : []),
  ].join('; ');
}

export interface SwitchedProject {
  /** The project as it was asked for. */
  readonly project: string;
  readonly switched: Switched;
}

/** Records that a person granted a project: to which client, what it may do there, and when the grant ends. */
export async function recordGrant(
  { audit, policy }: SwitchSettings,
  call: Call,
  { project, switched }: SwitchedProject,
): Promise<void> {
  await audit.record({
    ...aboutSwitch(call.attachment, call, switched.text),
    ...(switched.text === project ? {} : { detail: `asked for as ${project}` }),
    verdict: 'allow',
    rule: 'consent:session',
    reason: `a person said yes to ${describePermitted(policy)}, until another switch or the end of the connection`,
    outcome: 'done',
  });
}

/** Records the end of such a grant. Nothing is recorded for a switch that needed no grant. */
export async function recordGrantEnd(
  audit: AuditSink,
  attachment: Attachment,
  { switched, reason }: { readonly switched: Switched | undefined; readonly reason: string },
): Promise<void> {
  if (switched?.consented !== true) return;
  await audit.record({
    ...aboutSwitch(attachment, undefined, switched.text),
    event: 'withdrawal',
    verdict: 'deny',
    rule: 'consent:ended',
    reason,
    outcome: 'done',
  });
}

export async function recordSwitchRefusal(
  { audit }: SwitchSettings,
  call: Call,
  { code, data }: RootwardError<'CANNOT_SWITCH'>,
): Promise<void> {
  await audit.record({
    ...aboutSwitch(call.attachment, call, data.project),
    verdict: 'deny',
    rule: 'cannot-switch',
    reason: data.reason,
    outcome: 'refused',
    code,
  });
}

interface SwitchSettings {
  readonly audit: AuditSink;
  readonly policy: Policy;
}

function aboutSwitch(
  { connection, revision }: Attachment,
  call: Call | undefined,
  path: string,
): Omit<AuditEntry, 'verdict' | 'rule' | 'outcome'> {
  return {
    time: new Date().toISOString(),
    ...originOf(connection, call?.incoming),
    tool: 'switch_project',
    event: 'grant',
    operation: 'list',
    path,
    duration: 0,
    revision,
  };
}
