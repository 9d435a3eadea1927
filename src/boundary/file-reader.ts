import { closeSync } from 'node:fs';
import { RootwardError } from '../errors.ts';
import type { BoundaryContext } from './context.ts';
import { type FileInfo, toFileInfo } from './file-info.ts';
import { openFile } from './open-file.ts';
import { readAt } from './transfer.ts';

/** One file, open for reading. It keeps the boundary open until it is closed. */
export interface FileReader extends AsyncDisposable {
  /** As it was when it was opened. */
  readonly info: FileInfo;
  /** Up to `length` bytes from a position; fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export function openReader(context: BoundaryContext, path: string): FileReader {
  const leave = context.lease.enter();
  try {
    const { fd, stats } = openFile(context, { operation: 'read', verb: 'open', path });
    return createReader({ fd, path, info: toFileInfo(stats) }, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

interface Opened {
  readonly fd: number;
  readonly path: string;
  readonly info: FileInfo;
}

function createReader({ fd, path, info }: Opened, leave: () => void): FileReader {
  let open = true;
  const close = async (): Promise<void> => {
    if (open) closeSync(fd);
    open = false;
    leave();
  };
  return {
    info,
    async read(position, length) {
      // The number may belong to another file by now.
      if (!open) throw new RootwardError('CLOSED', { root: path });
      const buffer = Buffer.allocUnsafe(length);
      return buffer.subarray(0, await readAt(fd, buffer, position));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
