import type { AuditEntry } from './entry.ts';

/** Where entries go. What cannot be recorded must not happen: whoever asked gets the failure instead. */
export interface AuditSink {
  /**
   * Throws or rejects with `AUDIT_FAILED` if it is already known that the next record will fail. Asked
   * before something is done, because a failing record afterwards can only withhold the result.
   */
  ready?(): void | Promise<void>;
  /** Returns when the entry is where it belongs; throws or rejects with `AUDIT_FAILED`. */
  record(entry: AuditEntry): void | Promise<void>;
  /** Finishes what is under way. Later records fail. */
  close(): Promise<void>;
}
