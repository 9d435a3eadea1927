import type { Boundary } from '../boundary/boundary.ts';
import type { FileReader } from '../boundary/read/file-reader.ts';
import { RootwardError } from '../errors.ts';
import { ChangeSignal } from './change-signal.ts';
import { type AuditEntry, lineStart, parseEntry } from './entry.ts';
import { findRotated, rotatedName } from './rotate-log.ts';

export interface ReadLogOptions {
  /** As it was given to `openFileSink`; `audit.jsonl` by default. */
  readonly name?: string;
  /** Go on with what is written from now on, until the signal aborts or the boundary is closed. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
  /** Leave out what is older. */
  readonly since?: Date;
}

/** The entries of a log. Iterate once. */
export interface LogEntries extends AsyncIterable<AuditEntry> {
  /** Lines so far that hold no entry: torn by a full disk or a crash, or written by somebody else. */
  readonly skipped: number;
}

/**
 * Reads a log back: the full files, the oldest first, then the current one. Each entry comes once, whatever
 * is written and rotated meanwhile. Several processes may write at the same time, so entries that are
 * milliseconds apart may come in another order than their times.
 *
 * With `follow`, entries come as soon as they are written, by any process. A file that is removed while it is
 * read is read to its end. Not guaranteed, where a log is rotated so fast that files are removed between two
 * lines: what was made and removed between two looks is missed, and a line that its process has written again
 * because the file was gone comes twice.
 *
 * No file is read as a whole: what is held is 64 KiB and one handle per file. The boundary can be closed when
 * the loop has been left.
 *
 * @example
 * ```ts
 * const boundary = await openBoundary(process.cwd());
 * const log = readLog(boundary, { name: 'no-such-log.jsonl' });
 * const entries = [];
 * for await (const entry of log) entries.push(entry);
 * entries // → []
 * log.skipped // → 0
 * await boundary.close();
 * ```
 */
export function readLog(boundary: Boundary, options: ReadLogOptions = {}): LogEntries {
  return new LogReading(boundary, options);
}

class LogReading implements LogEntries {
  readonly #boundary: Boundary;
  readonly #options: ReadLogOptions;
  readonly #name: string;
  readonly #since: string;
  /** By the id of the file: a rotation changes the name, and the handle keeps the id from being used again. */
  readonly #tails = new Map<string, LogTail>();
  #skipped = 0;

  constructor(boundary: Boundary, options: ReadLogOptions) {
    this.#boundary = boundary;
    this.#options = options;
    this.#name = options.name ?? 'audit.jsonl';
    this.#since = options.since?.toISOString() ?? '';
  }

  get skipped(): number {
    return this.#skipped;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AuditEntry> {
    const { follow = false, signal } = this.#options;
    // Before the first look, so that nothing falls between the two.
    const changes = follow ? new ChangeSignal(this.#boundary, signal) : undefined;
    try {
      do yield* this.#readNew();
      while ((await changes?.next()) === true);
      if (!follow) await this.#countRests();
    } catch (error) {
      if (!follow || !RootwardError.is(error, 'CLOSED')) throw error;
    } finally {
      changes?.close();
      for (const tail of this.#tails.values()) await tail.close();
    }
  }

  async *#readNew(): AsyncGenerator<AuditEntry> {
    const listed = await this.#look();
    const gone = [...this.#tails.values()].filter((tail) => !listed.has(tail));
    for (const tail of [...gone, ...listed]) {
      for await (const lines of tail.pieces()) {
        yield* this.#parseAll(lines);
        if (this.#options.signal?.aborted === true) return;
      }
      if (!listed.has(tail)) await this.#drop(tail);
    }
  }

  /** The files that are there, the oldest first. */
  async #look(): Promise<ReadonlySet<LogTail>> {
    // The current one first: if it is rotated before the list is made, it is in the list.
    const current = await this.#open(this.#name);
    const listed = new Set<LogTail>();
    for (const number of await findRotated(this.#boundary, this.#name)) {
      const tail = await this.#open(rotatedName(this.#name, number));
      if (tail !== undefined) listed.add(tail);
    }
    return current === undefined ? listed : listed.add(current);
  }

  /** The tail of a file, the known one if there is one; `undefined` if no file has the name any more. */
  async #open(name: string): Promise<LogTail | undefined> {
    const reader = await openIfThere(this.#boundary, name);
    if (reader === undefined) return undefined;
    const known = this.#tails.get(reader.id);
    if (known !== undefined) {
      known.restartIfShorter(reader.info.size);
      await reader.close();
      return known;
    }
    const tail = new LogTail(reader);
    this.#tails.set(reader.id, tail);
    return tail;
  }

  async #drop(tail: LogTail): Promise<void> {
    this.#tails.delete(tail.id);
    await tail.close();
  }

  *#parseAll(lines: readonly string[]): Generator<AuditEntry> {
    for (const line of lines) {
      const entry = this.#parse(line);
      if (entry === undefined || entry.time < this.#since) continue;
      yield entry;
      if (this.#options.signal?.aborted === true) return;
    }
  }

  #parse(line: string): AuditEntry | undefined {
    const entry = parseEntry(line);
    if (entry !== undefined || line.trim() === '') return entry;
    this.#skipped += 1;
    // A whole line may stand behind a torn one that nobody could end.
    const start = line.lastIndexOf(lineStart);
    return start > 0 ? parseEntry(line.slice(start)) : undefined;
  }

  async #countRests(): Promise<void> {
    for (const tail of this.#tails.values()) if (await tail.hasRest()) this.#skipped += 1;
  }
}

async function openIfThere(boundary: Boundary, name: string): Promise<FileReader | undefined> {
  try {
    return await boundary.open(name);
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** More than `longestLine`, so that a piece without a line break is no line of ours. */
const pieceSize = 128 * 1024;

/** How far one file of a log has been read. */
export class LogTail {
  readonly #reader: FileReader;
  #offset = 0;
  /** Within a line that is longer than any of ours. */
  #endless = false;

  constructor(reader: FileReader) {
    this.#reader = reader;
  }

  get id(): string {
    return this.#reader.id;
  }

  /** If somebody has emptied the file, what comes next is at its beginning. */
  restartIfShorter(size: number): void {
    if (size >= this.#offset) return;
    this.#offset = 0;
    this.#endless = false;
  }

  /** The complete lines that were not read yet, a piece of the file at a time. */
  async *pieces(): AsyncGenerator<readonly string[]> {
    for (;;) {
      const piece = await this.#reader.read(this.#offset, pieceSize);
      const end = piece.lastIndexOf(lineBreak) + 1;
      const whole = piece.length === pieceSize;
      if (end > 0) yield this.#take(piece.subarray(0, end));
      else if (whole) yield this.#skip(piece.length);
      if (!whole) return;
    }
  }

  /** Whether there is more than was read: a line without its end. */
  async hasRest(): Promise<boolean> {
    return (await this.#reader.read(this.#offset, 1)).length > 0;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  #take(piece: Buffer): readonly string[] {
    this.#offset += piece.length;
    const lines = piece.toString('utf8').slice(0, -1).split('\n');
    const rest = this.#endless ? lines.slice(1) : lines;
    this.#endless = false;
    return rest;
  }

  /** An endless line counts once. */
  #skip(length: number): readonly string[] {
    this.#offset += length;
    const isFirst = !this.#endless;
    this.#endless = true;
    return isFirst ? [endlessLine] : [];
  }
}

const lineBreak = 0x0a;

/** Stands for a line that nobody wants whole. */
const endlessLine = '…';
