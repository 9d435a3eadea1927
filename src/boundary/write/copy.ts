import { closeFile, readAt, writeAll } from '../read/transfer.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { openFile } from '../step/open-file.ts';
import { placeFile, type PlaceOptions } from './write.ts';

export interface CopyOptions extends Pick<PlaceOptions, 'flush'> {
  /** Replaces an existing file. */
  readonly replace?: boolean;
  /** Creates missing directories on the way to the copy. */
  readonly parents?: boolean;
  readonly signal?: AbortSignal;
  /** Called with the number of bytes copied so far, and the total at the beginning. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface CopyEnds {
  readonly source: BoundaryContext;
  readonly target: BoundaryContext;
}

const chunkSize = 1024 * 1024;

/** Copies one file with its mode, less the umask. The copy appears as a whole. */
export async function copy(
  { source: origin, target }: CopyEnds,
  from: string,
  to: string,
  options: CopyOptions = {},
): Promise<void> {
  const { replace = false, parents = false, flush = false } = options;
  const { fd, stats } = openFile(origin, { operation: 'read', verb: 'copy', path: from });
  const request: BoundaryRequest = { operation: 'write', verb: 'copy to', path: to, makeMissing: parents };
  try {
    const place = { exclusive: !replace, mode: stats.mode & 0o777, flush };
    const source = { fd, size: stats.size };
    await placeFile(target, request, (copied) => transfer(source, copied, options), place);
  } finally {
    await closeFile(fd);
  }
}

async function transfer(
  { fd, size }: { readonly fd: number; readonly size: number },
  to: number,
  { signal, onProgress }: CopyOptions,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(chunkSize);
  for (let position = 0; ;) {
    signal?.throwIfAborted();
    const count = await readAt(fd, buffer, position);
    await writeAll(to, buffer.subarray(0, count));
    position += count;
    onProgress?.(position, size);
    if (count < chunkSize) return;
  }
}
