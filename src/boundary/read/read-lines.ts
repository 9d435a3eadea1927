import { readAt } from './transfer.ts';

const chunkSize = 64 * 1024;
const newline = 0x0a;

export interface LineSource {
  readonly fd: number;
  readonly size: number;
}

export interface LineBounds {
  /** The most bytes that may be read. */
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
  readonly overflow: () => Error;
}

/** Reads the first lines with their line ends, and no more of the file than needed. */
export async function readFirstLines({ fd }: LineSource, lines: number, bounds: LineBounds): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (let missing = lines; missing > 0;) {
    const chunk = await readChunk(fd, total, chunkSize, bounds);
    const cut = afterNewline(chunk, missing);
    chunks.push(chunk.subarray(0, cut.end));
    total += cut.end;
    if (total > bounds.limit) throw bounds.overflow();
    if (chunk.length < chunkSize) break;
    missing -= cut.found;
  }
  return Buffer.concat(chunks);
}

/** Reads the last lines, backwards from the end. A newline at the very end does not begin another line. */
export async function readTail({ fd, size }: LineSource, lines: number, bounds: LineBounds): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let missing = lines;
  for (let position = lines === 0 ? 0 : size; position > 0;) {
    const length = Math.min(chunkSize, position);
    position -= length;
    const chunk = await readChunk(fd, position, length, bounds);
    const cut = beforeNewline(chunk, missing, chunks.length === 0);
    chunks.unshift(chunk.subarray(cut.start));
    if (size - position - cut.start > bounds.limit) throw bounds.overflow();
    if (cut.found === missing) break;
    missing -= cut.found;
  }
  return Buffer.concat(chunks);
}

async function readChunk(
  fd: number,
  position: number,
  length: number,
  { signal }: LineBounds,
): Promise<Buffer> {
  signal?.throwIfAborted();
  const chunk = Buffer.allocUnsafe(length);
  return chunk.subarray(0, await readAt(fd, chunk, position));
}

function afterNewline(chunk: Buffer, wanted: number): { end: number; found: number } {
  let end = -1;
  for (let found = 0; found < wanted; found += 1) {
    const next = chunk.indexOf(newline, end + 1);
    if (next === -1) return { end: chunk.length, found };
    end = next;
  }
  return { end: end + 1, found: wanted };
}

function beforeNewline(chunk: Buffer, wanted: number, isLast: boolean): { start: number; found: number } {
  let start = isLast && chunk.at(-1) === newline ? chunk.length - 1 : chunk.length;
  for (let found = 0; found < wanted; found += 1) {
    const next = start === 0 ? -1 : chunk.lastIndexOf(newline, start - 1);
    if (next === -1) return { start: 0, found };
    start = next;
  }
  return { start: start + 1, found: wanted };
}
