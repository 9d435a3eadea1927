import type { AuditEntry } from '../../audit/entry.ts';
import type { AuditSink } from '../../audit/sink.ts';
import { fieldsOf } from '../../base/fields.ts';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import type { RootwardError } from '../../errors.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import type { Switched } from '../connection/connection-memory.ts';
import { type Connection, clientIdentity, sessionLabelOf, originOf } from '../connection/connection.ts';
import type { RequestFacts } from '../sdk/call-context.ts';

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
  origin: SwitchOrigin,
  { project, switched }: SwitchedProject,
): Promise<void> {
  await audit.record({
    ...aboutSwitch(origin, switched.text),
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
  origin: SwitchOrigin,
  { switched, reason }: { readonly switched: Switched | undefined; readonly reason: string },
): Promise<void> {
  if (switched?.consented !== true) return;
  await audit.record({
    ...aboutSwitch(origin, switched.text),
    event: 'withdrawal',
    verdict: 'deny',
    rule: 'consent:ended',
    reason,
    outcome: 'done',
  });
}

export async function recordSwitchRefusal(
  { audit }: SwitchSettings,
  origin: SwitchOrigin,
  { code, data }: RootwardError<'CANNOT_SWITCH' | 'NOT_ASKED'>,
): Promise<void> {
  await audit.record({
    ...aboutSwitch(origin, 'project' in data ? data.project : data.path),
    verdict: 'deny',
    rule: 'cannot-switch',
    reason: data.reason,
    outcome: 'refused',
    code,
  });
}

/** The client of an HTTP session that has ended, from what the session kept. */
export function sessionOrigin(session: string, initialize: unknown): SwitchOrigin {
  const client = clientIdentity(fieldsOf(initialize)['clientInfo']);
  return { connection: { client: () => client, sessionLabel: sessionLabelOf(session) }, revision: 0 };
}

interface SwitchSettings {
  readonly audit: AuditSink;
  readonly policy: Policy;
}

/** The client that switched, or whose grant has ended. */
export interface SwitchOrigin {
  readonly connection: Pick<Connection, 'client' | 'sessionLabel'>;
  readonly incoming?: RequestFacts;
  readonly revision: number;
}

function aboutSwitch(
  { connection, incoming, revision }: SwitchOrigin,
  path: string,
): Omit<AuditEntry, 'verdict' | 'rule' | 'outcome'> {
  return {
    time: new Date().toISOString(),
    ...originOf(connection, incoming),
    tool: 'switch_project',
    event: 'grant',
    operation: 'list',
    path,
    duration: 0,
    revision,
  };
}
