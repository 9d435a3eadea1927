import { toAuditFailure } from './audit-failure.ts';
import type { AuditEntry } from './entry.ts';
import type { AuditSink } from './sink.ts';

/**
 * Several sinks as one. Each gets every entry, also when another fails; a record succeeds when all have
 * succeeded, and fails with the first failure otherwise.
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

/** Without a promise where no sink needs one: a record is on the way of every call. */
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
