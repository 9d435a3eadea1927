import { closeSync, fstatSync, writeSync } from 'node:fs';
import { type AppendOptions, openForAppend } from './append.ts';
import type { BoundaryContext } from './context.ts';
import { translate } from './errno.ts';
import { flushData } from './transfer.ts';

/** A file that is kept open to append whole lines to it, by several processes at once. */
export interface LogFile {
  /** Adds the data in one write; returns the size of the file after it. */
  append(data: string): number;
  /** Tells whether the name still leads to this file, or somebody has moved it away. */
  isCurrent(): boolean;
  flush(): Promise<void>;
  close(): void;
}

/** Opens a log. The descriptor belongs to the log and outlives nothing but its `close`. */
export function openLogFile(context: BoundaryContext, path: string, options: AppendOptions = {}): LogFile {
  const attempt = { verb: 'append to', path };
  const leave = context.lease.enter();
  const fd = openOrLeave(context, path, options, leave);
  return {
    append(data) {
      try {
        writeWhole(fd, Buffer.from(data, 'utf8'));
        return fstatSync(fd).size;
      } catch (error) {
        throw translate(error, attempt);
      }
    },
    isCurrent: () => isSameFile(context, path, fd),
    flush: () => flushData(fd),
    close() {
      closeSync(fd);
      leave();
    },
  };
}

function openOrLeave(
  context: BoundaryContext,
  path: string,
  options: AppendOptions,
  leave: () => void,
): number {
  try {
    return openForAppend(context, path, options);
  } catch (error) {
    leave();
    throw error;
  }
}

/** One write is one line for everybody else; a short one happens only when the disk is full. */
function writeWhole(fd: number, data: Buffer): void {
  for (let written = 0; written < data.length;) written += writeSync(fd, data, written);
}

function isSameFile(context: BoundaryContext, path: string, fd: number): boolean {
  try {
    const current = openForAppend(context, path);
    try {
      const [one, other] = [fstatSync(fd, { bigint: true }), fstatSync(current, { bigint: true })];
      return one.ino === other.ino && one.dev === other.dev;
    } finally {
      closeSync(current);
    }
  } catch {
    return false;
  }
}
