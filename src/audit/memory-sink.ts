import { auditClosed } from './audit-failure.ts';
import type { AuditEntry } from './entry.ts';
import type { AuditSink } from './sink.ts';

export interface MemorySink extends AuditSink {
  /** What was recorded last, the oldest first. A snapshot. */
  entries(): readonly AuditEntry[];
}

export interface MemorySinkOptions {
  /** How many entries are kept; 1,000 by default. */
  readonly size?: number;
}

/**
 * Keeps the last entries in memory: for tests, and for a page that shows what just happened.
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
