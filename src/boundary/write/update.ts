import { setImmediate } from 'node:timers/promises';
import { RootwardError } from '../../errors.ts';
import { readOpen } from '../read/read.ts';
import { closeFile, writeAll } from '../read/transfer.ts';
import type { BoundaryContext, BoundaryRequest } from '../step/context.ts';
import { openFile } from '../step/open-file.ts';
import { compareLines } from './compare-lines.ts';
import { placeFile, seeFile, type SeenFile } from './write.ts';

export interface UpdateOptions {
  /** Refuses to read more bytes than this. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

type NewContent = string | Uint8Array | undefined;

/** Returns the new content, given the current one; `undefined` to leave it. May be called more than once. */
export type ContentUpdate = (bytes: Buffer) => NewContent | Promise<NewContent>;

/** How often others may be faster. Each time, another writer has made progress. */
const mostTries = 1_000;

/**
 * Changes the content of a file, given its current content: as a whole or not at all, and never over a change
 * that another writer made in the meantime. A writer that loses reads again, so that concurrent changes all
 * survive.
 *
 * Not guaranteed against another process that replaces the file in the microseconds between the last check
 * and the rename.
 *
 * @throws {RootwardError} `BUSY` if others are always faster
 */
export async function update(
  context: BoundaryContext,
  path: string,
  change: ContentUpdate,
  options: UpdateOptions = {},
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    options.signal?.throwIfAborted();
    try {
      return await updateOnce(context, path, change, options);
    } catch (error) {
      if (!RootwardError.is(error, 'BUSY') || tries === mostTries) throw error;
      await setImmediate();
    }
  }
}

async function updateOnce(
  context: BoundaryContext,
  path: string,
  change: ContentUpdate,
  options: UpdateOptions,
): Promise<void> {
  const { fd, stats } = openFile(context, { operation: 'read', verb: 'read', path });
  try {
    const over = seeFile(fd);
    const before = await readOpen(context, { fd, size: stats.size, path }, options);
    const changed = await change(before);
    if (changed === undefined) return;
    await replace(context, path, { over, before, changed, signal: options.signal });
  } finally {
    await closeFile(fd);
  }
}

interface Replacement {
  readonly over: SeenFile;
  readonly before: Buffer;
  readonly changed: string | Uint8Array;
  readonly signal: AbortSignal | undefined;
}

async function replace(
  context: BoundaryContext,
  path: string,
  { over, before, changed, signal }: Replacement,
): Promise<void> {
  const request: BoundaryRequest = { operation: 'write', verb: 'write', path };
  const bytes = typeof changed === 'string' ? Buffer.from(changed, 'utf8') : changed;
  const lines = context.witness && (await compareLines(before, bytes));
  await placeFile(context, request, (fd) => writeAll(fd, bytes, { signal }), { over, lines });
}
