import { closeSync, createReadStream, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { RootwardError } from '../../errors.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { openFile } from '../step/open-file.ts';
import { translate } from '../system/errno.ts';
import { readFirstLines, readTail } from './read-lines.ts';
import { readAt, smallRead } from './transfer.ts';

export interface ByteRange {
  /** First byte; 0 by default. */
  readonly start?: number;
  /** One past the last byte; the end of the file by default. */
  readonly end?: number;
}

export interface ReadOptions extends ByteRange {
  /** Refuses to return more bytes than this. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface ReadTextOptions extends ReadOptions {
  /** Returns only this many lines from the beginning. */
  readonly head?: number;
  /** Returns only this many lines from the end. */
  readonly tail?: number;
}

const chunkSize = 64 * 1024;

/** Reads a file, or a range of it. Checks the size before reading, and counts while reading. */
export async function readBytes(
  context: BoundaryContext,
  path: string,
  options: ReadOptions = {},
): Promise<Buffer> {
  const { start = 0, end = Number.POSITIVE_INFINITY } = options;
  requireRange(path, start, end);
  return withFile(context, path, (fd, size) => readOpen(context, { fd, size, path }, options));
}

/** An open file and the path that was asked for. */
export interface OpenAs {
  readonly fd: number;
  /** The size when it was opened. */
  readonly size: number;
  readonly path: string;
}

/** Like `readBytes`, for a file that is already open. */
export async function readOpen(
  context: BoundaryContext,
  { fd, size, path }: OpenAs,
  options: ReadOptions = {},
): Promise<Buffer> {
  const { start = 0, end = Number.POSITIVE_INFINITY, signal } = options;
  const limit = limitOf(context, options);
  const wanted = Math.max(0, Math.min(end, size) - start);
  if (wanted > limit) throw tooLarge(path, limit);
  if (wanted > 0 && wanted <= smallRead) {
    signal?.throwIfAborted();
    const bytes = readAtOnce(fd, start, { wanted, most: Math.min(end - start, wanted + 1) });
    if (bytes.length <= wanted) return bytes;
  }
  const chunks: Buffer[] = [];
  let total = 0;
  // The size may be wrong (0 in /proc) or out of date: read to the end, and count.
  for (;;) {
    signal?.throwIfAborted();
    const room = Math.min(end - start - total, Math.max(chunkSize, wanted - total));
    const chunk = Buffer.allocUnsafe(Math.min(room, limit + 1));
    const count = await readAt(fd, chunk, start + total);
    total += count;
    if (total > limit) throw tooLarge(path, limit);
    chunks.push(chunk.subarray(0, count));
    if (count < chunk.length || total >= end - start) return Buffer.concat(chunks);
  }
}

/** Requests one byte more than expected: if it does not come, the file has ended. */
function readAtOnce(fd: number, start: number, { wanted, most }: { wanted: number; most: number }): Buffer {
  const buffer = Buffer.allocUnsafe(most);
  let filled = 0;
  while (filled < most) {
    const count = readSync(fd, buffer, filled, most - filled, start + filled);
    filled += count;
    if (count === 0 || filled === wanted) break;
  }
  return buffer.subarray(0, filled);
}

/** Reads a file as UTF-8 text; invalid bytes become U+FFFD. */
export async function readText(
  context: BoundaryContext,
  path: string,
  options: ReadTextOptions = {},
): Promise<string> {
  const { head, tail } = options;
  if (head !== undefined && tail !== undefined) throw invalidRange(path, 'head and tail exclude each other');
  const lines = head ?? tail;
  if (lines === undefined) return decode(await readBytes(context, path, options));
  requireLines(path, lines);
  const { signal } = options;
  const limit = limitOf(context, options);
  const bounds = { limit, signal, overflow: () => tooLarge(path, limit) };
  return decode(
    await withFile(context, path, (fd, size) =>
      head === undefined
        ? readTail({ fd, size }, lines, bounds)
        : readFirstLines({ fd, size }, lines, bounds),
    ),
  );
}

/** A call may lower the limit of the boundary, not raise it. */
function limitOf({ limits }: BoundaryContext, { limit = limits.fileSize }: ReadOptions): number {
  return Math.min(limit, limits.fileSize);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/**
 * Opens a stream of the file. It keeps the boundary open until it is closed, and closes its descriptor
 * itself.
 */
export function readStream(
  context: BoundaryContext,
  path: string,
  { start = 0, end }: ByteRange = {},
): Readable {
  requireRange(path, start, end ?? Number.POSITIVE_INFINITY);
  const leave = context.lease.enter();
  try {
    const { fd } = openFile(context, toRequest(path));
    return streamOf(fd, { start, end }, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

/** Node's `end` includes the last byte, so an empty range needs a case of its own. */
function streamOf(
  fd: number,
  { start, end }: { readonly start: number; readonly end: number | undefined },
  closed: () => void,
): Readable {
  if (end !== undefined && end <= start) {
    closeSync(fd);
    closed();
    return Readable.from([]);
  }
  const range = end === undefined ? { start } : { start, end: end - 1 };
  return createReadStream('', { fd, autoClose: true, ...range }).once('close', closed);
}

function toRequest(path: string): BoundaryRequest {
  return { operation: 'read', verb: 'read', path };
}

async function withFile<Bytes extends Uint8Array>(
  context: BoundaryContext,
  path: string,
  use: (fd: number, size: number) => Promise<Bytes>,
): Promise<Bytes> {
  const request = toRequest(path);
  const { fd, stats } = openFile(context, request);
  try {
    const bytes = await use(fd, stats.size);
    context.witness?.afterRead?.(bytes.length);
    return bytes;
  } catch (error) {
    throw translate(error, request);
  } finally {
    closeSync(fd);
  }
}

function tooLarge(path: string, limit: number): RootwardError<'TOO_LARGE'> {
  return new RootwardError('TOO_LARGE', { verb: 'read', path, limit });
}

function requireRange(path: string, start: number, end: number): void {
  const isWhole =
    Number.isSafeInteger(start) && (Number.isSafeInteger(end) || end === Number.POSITIVE_INFINITY);
  if (!isWhole || start < 0 || end < start) throw invalidRange(path, 'the range is not 0 ≤ start ≤ end');
}

function requireLines(path: string, lines: number): void {
  if (!Number.isSafeInteger(lines) || lines < 0)
    throw invalidRange(path, 'a number of lines is a whole number');
}

function invalidRange(path: string, reason: string): RootwardError<'INVALID_RANGE'> {
  return new RootwardError('INVALID_RANGE', { verb: 'read', path, reason });
}
