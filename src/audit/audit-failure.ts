import { RootwardError } from '../errors.ts';

/** Why a decision could not be written down, as the error that the caller gets. What is unknown stays in `cause`. */
export function toAuditFailure(error: unknown): RootwardError<'AUDIT_FAILED'> {
  if (RootwardError.is(error, 'AUDIT_FAILED')) return error;
  return new RootwardError('AUDIT_FAILED', { reason: reasonOf(error) }, { cause: error });
}

export function auditClosed(): RootwardError<'AUDIT_FAILED'> {
  return new RootwardError('AUDIT_FAILED', { reason: 'the audit is closed' });
}

export function diskFull(): RootwardError<'AUDIT_FAILED'> {
  return new RootwardError('AUDIT_FAILED', { reason: 'the disk of the log is full' });
}

/** In the middle of a sentence. */
function reasonOf(error: unknown): string {
  if (!RootwardError.is(error)) return 'the sink failed';
  return error.message.replace(/^Cannot/, 'cannot');
}
