import { RootwardError } from '../errors.ts';
import type { AuditEntry } from './entry.ts';

/**
 * Receives audit entries. If an entry cannot be recorded, the caller gets the failure instead of its result.
 */
export interface AuditSink {
  /**
   * Throws or rejects with `AUDIT_FAILED` if the next record is known to fail. Called before the operation,
   * because a record that fails afterwards can only withhold the result.
   */
  ready?(): void | Promise<void>;
  /** Returns when the entry is stored; throws or rejects with `AUDIT_FAILED`. */
  record(entry: AuditEntry): void | Promise<void>;
  /** Finishes pending writes. Later records fail. */
  close(): Promise<void>;
}

/** Converts any failure to `AUDIT_FAILED`. Details of unknown errors stay in `cause`. */
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

/** Worded for the middle of a sentence. */
function reasonOf(error: unknown): string {
  if (!RootwardError.is(error)) return 'the sink failed';
  return error.message.replace(/^Cannot/, 'cannot');
}

export interface MemorySink extends AuditSink {
  /** A snapshot of the last entries, the oldest first. */
  entries(): readonly AuditEntry[];
}

export interface MemorySinkOptions {
  /** How many entries are kept; 1,000 by default. */
  readonly size?: number;
}

/**
 * Creates a sink that keeps the last entries in memory: for tests, and for a page that shows recent events.
 *
 * @example
 * ```ts
 * const sink = createMemorySink({ size: 2 });
 * for (const path of ['a', 'b', 'c']) sink.record({ path });
 * sink.entries() // → [{ path: 'b' }, { path: 'c' }]
 * ```
 */
export function createMemorySink({ size = 1_000 }: MemorySinkOptions = {}): MemorySink {
  const ring: AuditEntry[] = [];
  let next = 0;
  let closed = false;
  return {
    ready() {
      if (closed) throw auditClosed();
    },
    record(entry) {
      if (closed) throw auditClosed();
      if (size > 0) ring[next] = entry;
      next = (next + 1) % Math.max(size, 1);
    },
    entries: () => (ring.length < size ? [...ring] : [...ring.slice(next), ...ring.slice(0, next)]),
    async close() {
      closed = true;
    },
  };
}

/**
 * Combines several sinks. Each gets every entry, even when another fails. A record succeeds if all succeed,
 * and otherwise fails with the first failure.
 *
 * @example
 * ```ts
 * const [one, other] = [createMemorySink(), createMemorySink()];
 * combineSinks(one, other).record({ path: 'a' });
 * other.entries() // → [{ path: 'a' }]
 * ```
 */
export function combineSinks(...sinks: readonly AuditSink[]): AuditSink {
  return {
    ready: () => onAll(sinks, (sink) => sink.ready?.()),
    record: (entry: AuditEntry) => onAll(sinks, (sink) => sink.record(entry)),
    async close() {
      await onAll(sinks, (sink) => sink.close());
    },
  };
}

/** Creates no promise unless a sink needs one: `record` runs on every call. */
function onAll(
  sinks: readonly AuditSink[],
  run: (sink: AuditSink) => void | Promise<void>,
): void | Promise<void> {
  const failures: unknown[] = [];
  const running: Promise<void>[] = [];
  for (const sink of sinks) {
    try {
      const result = run(sink);
      if (result !== undefined) running.push(result);
    } catch (error) {
      failures.push(error);
    }
  }
  if (running.length > 0) return settleAll(running, failures);
  throwFirst(failures);
}

async function settleAll(running: readonly Promise<void>[], failures: readonly unknown[]): Promise<void> {
  const results = await Promise.allSettled(running);
  const later = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown);
  throwFirst([...failures, ...later]);
}

function throwFirst(failures: readonly unknown[]): void {
  if (failures.length > 0) throw toAuditFailure(failures[0]);
}
