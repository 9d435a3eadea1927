import { close, fdatasync, fsync, read, write } from 'node:fs';
import { promisify } from 'node:util';

/** Data moves on the thread pool; only names are resolved on the main thread. */
const readAsync = promisify(read);
const writeAsync = promisify(write);

export const closeFile: (fd: number) => Promise<void> = promisify(close);
export const flushFile: (fd: number) => Promise<void> = promisify(fsync);
export const flushData: (fd: number) => Promise<void> = promisify(fdatasync);

/** Fills as much of the buffer as there is, from a position of the file. */
export async function readAt(fd: number, buffer: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Writes everything, or fails. */
export async function writeAll(fd: number, data: Uint8Array, signal?: AbortSignal): Promise<void> {
  for (let written = 0; written < data.length;) {
    signal?.throwIfAborted();
    const length = Math.min(data.length - written, largestWrite);
    written += (await writeAsync(fd, data, written, length, null)).bytesWritten;
  }
}

/** So that an abort is noticed, and a pool thread is not held for long. */
const largestWrite = 4 * 1024 * 1024;
