import type { Writable } from 'node:stream';
import { RootwardError } from '../errors.ts';
import { auditClosed } from './audit-failure.ts';
import { describeEntry } from './describe-entry.ts';
import type { AuditSink } from './sink.ts';

/**
 * Shows each entry as one line for a person. For standard error by default, and never for standard output:
 * that belongs to the protocol. The stream stays the caller's.
 *
 * @throws {RootwardError} `AUDIT_FAILED` for standard output
 * @example
 * ```ts
 * createStderrSink(process.stdout) // throws AUDIT_FAILED
 * ```
 */
export function createStderrSink(stream: Writable = process.stderr): AuditSink {
  if (stream === process.stdout) throw failed('standard output belongs to the protocol');
  let closed = false;
  // Each write learns of its own failure; without a listener the same error would end the process.
  const ignore = (): void => {};
  stream.on('error', ignore);
  const requireOpen = (): void => {
    if (closed) throw auditClosed();
    if (!stream.writable) throw failed('the stream has ended');
  };
  return {
    ready: requireOpen,
    record(entry) {
      requireOpen();
      return writeLine(stream, `${describeEntry(entry)}\n`);
    },
    async close() {
      closed = true;
      stream.off('error', ignore);
    },
  };
}

function writeLine(stream: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(line, (error) => {
      if (error === undefined || error === null) resolve();
      else reject(failed('the stream cannot be written', error));
    });
  });
}

function failed(reason: string, cause?: Error): RootwardError<'AUDIT_FAILED'> {
  return new RootwardError('AUDIT_FAILED', { reason }, cause === undefined ? {} : { cause });
}
