import { close, fdatasync, fsync, read, readSync, write } from 'node:fs';
import { promisify } from 'node:util';

/** Data moves on the thread pool; names are resolved on the main thread, and so is what is read in one go. */
const readAsync = promisify(read);
const writeAsync = promisify(write);

export const closeFile: (fd: number) => Promise<void> = promisify(close);
export const flushFile: (fd: number) => Promise<void> = promisify(fsync);
export const flushData: (fd: number) => Promise<void> = promisify(fdatasync);

/** Bytes that are read at once: the file was opened in one go anyway, and each trip to the pool costs more. */
export const smallRead: number = 16 * 1024;

/** Fills as much of the buffer as there is, from a position of the file. */
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
  /** Told after each part that the system has taken. */
  readonly onWritten?: () => void;
}

/** Writes everything, or fails. */
export async function writeAll(
  fd: number,
  data: Uint8Array,
  { signal, onWritten }: WritingOptions = {},
): Promise<void> {
  for (let written = 0; written < data.length;) {
    signal?.throwIfAborted();
    const length = Math.min(data.length - written, largestWrite);
    written += (await writeAsync(fd, data, written, length, null)).bytesWritten;
    onWritten?.();
  }
}

/** So that an abort is noticed, and a pool thread is not held for long. */
const largestWrite = 4 * 1024 * 1024;
