import { close, fdatasync, fsync, read, readSync, write } from 'node:fs';
import { promisify } from 'node:util';

/** Data moves on the thread pool. Names are resolved on the main thread, and small reads happen there too. */
const readAsync = promisify(read);
const writeAsync = promisify(write);

export const closeFile: (fd: number) => Promise<void> = promisify(close);
export const flushFile: (fd: number) => Promise<void> = promisify(fsync);
export const flushData: (fd: number) => Promise<void> = promisify(fdatasync);

/**
 * Largest read in bytes that runs on the main thread: the file was opened there anyway, and a trip to the
 * pool costs more.
 */
export const smallRead: number = 16 * 1024;

/** Fills the buffer from a position of the file, as far as there is data. */
export async function readAt(fd: number, buffer: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const count = await readOnce(fd, buffer.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function readOnce(fd: number, buffer: Uint8Array, position: number): number | Promise<number> {
  if (buffer.length <= smallRead) return readSync(fd, buffer, 0, buffer.length, position);
  return readAsync(fd, buffer, 0, buffer.length, position).then(({ bytesRead }) => bytesRead);
}

export interface WritingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each part that the system has accepted, with its size. */
  readonly onWritten?: (bytes: number) => void;
}

/** Writes everything, or throws. */
export async function writeAll(
  fd: number,
  data: Uint8Array,
  { signal, onWritten }: WritingOptions = {},
): Promise<void> {
  for (let written = 0; written < data.length;) {
    signal?.throwIfAborted();
    const length = Math.min(data.length - written, largestWrite);
    const { bytesWritten } = await writeAsync(fd, data, written, length, null);
    written += bytesWritten;
    onWritten?.(bytesWritten);
  }
}

/** Limits one write, so that an abort is noticed and a pool thread is not occupied for long. */
const largestWrite = 4 * 1024 * 1024;
