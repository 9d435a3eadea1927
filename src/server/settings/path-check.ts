import { access, type AccessScope } from '../../access.ts';
import type { AuditEntry } from '../../audit/entry.ts';
import type { AuditSink } from '../../audit/sink.ts';
import type { EntryKind } from '../../boundary/system/file-info.ts';
import { type ErrorCode, RootwardError } from '../../errors.ts';
import type { AccessRequest } from '../../policy/decide.ts';
import { wouldAsk } from '../../policy/settle.ts';

/** The result of a check: the decision, the place and the rule. */
export interface PathCheck {
  readonly allowed: boolean;
  readonly rule: string;
  readonly reason: string;
  /** Name of the root that holds the path. */
  readonly root?: string;
  /** The real path from that root; absent if it was refused before any look at the disk. */
  readonly place?: string;
  /** The kind of the entry; absent if nothing is there. */
  readonly kind?: EntryKind;
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** The scope of a check. With an audit, a client's check is recorded; a person's own check is not. */
export type CheckScope = Pick<AccessScope, 'workspace' | 'policy' | 'ask' | 'caller' | 'client' | 'session'> &
  Partial<Pick<AccessScope, 'audit'>>;

/** Runs `access` with an act that only looks, and records it as a look. No person is asked for a look. */
export async function checkAccess(scope: CheckScope, request: AccessRequest): Promise<PathCheck> {
  const { audit, ask, ...judged } = scope;
  const written: { entry?: AuditEntry } = {};
  const looks: AuditSink = {
    ready: () => audit?.ready?.(),
    record(entry) {
      written.entry = { ...entry, event: 'look' };
      return audit?.record(written.entry);
    },
    close: async () => audit?.close(),
  };
  try {
    const { relative, kind } = await access(
      { ...judged, audit: looks, ...(ask && { ask: () => wouldAsk }) },
      request,
      ({ boundary, relative: path }) => boundary.probe(request.operation, path),
    );
    const place = relative === '' ? '.' : relative;
    return { allowed: true, ...decidedIn(written), place, ...(kind === undefined ? {} : { kind }) };
  } catch (error) {
    // A check that cannot be recorded is not answered.
    if (!RootwardError.is(error) || RootwardError.is(error, 'AUDIT_FAILED')) throw error;
    const { code, hint, message } = error;
    return { allowed: false, ...decidedIn(written), reason: message, code, hint };
  }
}

function decidedIn({ entry }: { readonly entry?: AuditEntry }): Pick<PathCheck, 'rule' | 'reason' | 'root'> {
  if (entry === undefined) return { rule: 'none', reason: 'nothing was decided' };
  const { rule, reason = '', root } = entry;
  return { rule, reason, ...(root === undefined ? {} : { root }) };
}
