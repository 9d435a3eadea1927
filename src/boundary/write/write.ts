import { placeFile, type PlaceOptions } from './atomic-write.ts';
import type { BoundaryContext, Request } from '../step/context.ts';
import { writeAll } from '../read/transfer.ts';

export interface WriteOptions extends PlaceOptions {
  /** Create missing directories on the way. */
  readonly parents?: boolean;
  readonly signal?: AbortSignal;
}

/** Writes a whole file, or nothing. */
export async function write(
  context: BoundaryContext,
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const { parents = false, signal } = options;
  const request: Request = { operation: 'write', verb: 'write', path, makeMissing: parents };
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
  signal?.throwIfAborted();
  await placeFile(context, request, (fd) => writeAll(fd, bytes, { signal }), options);
}
