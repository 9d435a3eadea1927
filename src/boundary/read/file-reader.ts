import { closeSync } from 'node:fs';
import { RootwardError } from '../../errors.ts';
import { type BoundaryContext, Lease } from '../step/context.ts';
import { openFile } from '../step/open-file.ts';
import { type FileInfo, identityOf, toFileInfo } from '../system/file-info.ts';
import { readAt } from './transfer.ts';

/** A file that is open for reading. Keeps the boundary open until it is closed. */
export interface FileReader extends AsyncDisposable {
  /** The state of the file when it was opened. */
  readonly info: FileInfo;
  /**
   * Identifies the file: the same for every open reader of it, under any name, and for no other file
   * meanwhile.
   */
  readonly id: string;
  /** Reads up to `length` bytes from a position; fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  /** Waits for running reads, then closes the file. */
  close(): Promise<void>;
}

export function openReader(context: BoundaryContext, path: string): FileReader {
  const leave = context.lease.enter();
  try {
    const { fd, stats } = openFile(context, { operation: 'read', verb: 'open', path });
    return createReader({ fd, path, info: toFileInfo(stats), witness: context.witness }, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

interface OpenedFile {
  readonly fd: number;
  readonly path: string;
  readonly info: FileInfo;
  readonly witness: BoundaryContext['witness'];
}

function createReader({ fd, path, info, witness }: OpenedFile, leave: () => void): FileReader {
  // Not closed during a read: the number could be reused for another file.
  const lease = new Lease(path, () => {
    closeSync(fd);
    leave();
  });
  return {
    info,
    id: identityOf(fd),
    read: (position, length) =>
      lease.use(async () => {
        requirePart(path, position, length);
        const buffer = Buffer.allocUnsafe(length);
        const count = await readAt(fd, buffer, position);
        witness?.afterRead?.(count);
        return buffer.subarray(0, count);
      }),
    close: () => lease.close(),
    [Symbol.asyncDispose]: () => lease.close(),
  };
}

/** Limit of one read, in bytes. */
const largestPart = 64 * 1024 * 1024;

function requirePart(path: string, position: number, length: number): void {
  const isWhole = Number.isSafeInteger(position) && Number.isSafeInteger(length);
  if (isWhole && position >= 0 && length >= 0 && length <= largestPart) return;
  const reason = `a part begins at 0 or later and has at most ${largestPart} bytes`;
  throw new RootwardError('INVALID_RANGE', { verb: 'read', path, reason });
}
