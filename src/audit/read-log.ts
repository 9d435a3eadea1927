import type { Boundary } from '../boundary/boundary.ts';
import type { FileReader } from '../boundary/read/file-reader.ts';
import { ifThere } from '../boundary/step/if-there.ts';
import { RootwardError } from '../errors.ts';
import { ChangeSignal } from './change-signal.ts';
import { type AuditEntry, lineStart, parseEntry } from './entry.ts';
import { findRotated, rotatedName } from './rotate-log.ts';

export interface ReadLogOptions {
  /** The name given to `openFileSink`; `audit.jsonl` by default. */
  readonly name?: string;
  /** Continues with new entries until the signal aborts or the boundary is closed. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
  /** Leaves out older entries. */
  readonly since?: Date;
}

/** The entries of a log. Can be iterated once. */
export interface LogEntries extends AsyncIterable<AuditEntry> {
  /** Lines so far that are not entries: torn by a full disk or a crash, or written by another program. */
  readonly skipped: number;
}

/**
 * Reads a log: the full files, the oldest first, then the current one. Each entry comes once, whatever is
 * written and rotated meanwhile. Several processes may write at the same time, so entries that are
 * milliseconds apart may not be in the order of their times.
 *
 * With `follow`, entries come as soon as any process writes them. A file that is removed while it is being
 * read is read to its end. Not guaranteed, if a log is rotated so fast that files are removed between two
 * lines: a file that is created and removed between two checks is missed, and a line that its process has
 * written again because the file was gone comes twice.
 *
 * Memory is bounded by 128 KiB and one handle per file. The boundary can be closed after the loop has ended.
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
  /** By file id: a rotation changes the name, and the open handle keeps the id from being reused. */
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
    // Before the first listing, so that no change falls between the two.
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

  /** Returns the existing files, the oldest first. */
  async #look(): Promise<ReadonlySet<LogTail>> {
    // The current file first: if it is rotated before the listing, the listing contains it.
    const current = await this.#open(this.#name);
    const listed = new Set<LogTail>();
    for (const number of await findRotated(this.#boundary, this.#name)) {
      const tail = await this.#open(rotatedName(this.#name, number));
      if (tail !== undefined) listed.add(tail);
    }
    return current === undefined ? listed : listed.add(current);
  }

  /** Returns the known or new tail of a file, or `undefined` if the file no longer exists. */
  async #open(name: string): Promise<LogTail | undefined> {
    const reader = await ifThere(this.#boundary.open(name));
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
    // A complete line may follow a torn one without a line break between them.
    const start = line.lastIndexOf(lineStart);
    return start > 0 ? parseEntry(line.slice(start)) : undefined;
  }

  async #countRests(): Promise<void> {
    for (const tail of this.#tails.values()) if (await tail.hasRest()) this.#skipped += 1;
  }
}

/** Larger than `longestLine`, so a piece without a line break is not an audit line. */
const pieceSize = 128 * 1024;

/** The reading position in one file of a log. */
export class LogTail {
  readonly #reader: FileReader;
  #offset = 0;
  /** Inside a line that is longer than any audit line. */
  #endless = false;

  constructor(reader: FileReader) {
    this.#reader = reader;
  }

  get id(): string {
    return this.#reader.id;
  }

  /** Restarts at the beginning if the file was truncated. */
  restartIfShorter(size: number): void {
    if (size >= this.#offset) return;
    this.#offset = 0;
    this.#endless = false;
  }

  /** Yields the complete unread lines, one piece of the file at a time. */
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

  /** Whether an unfinished line follows. */
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

  /** Counts an overlong line once. */
  #skip(length: number): readonly string[] {
    this.#offset += length;
    const isFirst = !this.#endless;
    this.#endless = true;
    return isFirst ? [endlessLine] : [];
  }
}

const lineBreak = 0x0a;

/** Stands for an overlong line. */
const endlessLine = '…';
