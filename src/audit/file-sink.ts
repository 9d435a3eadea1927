import type { Boundary } from '../boundary/boundary.ts';
import { RootwardError } from '../errors.ts';
import { type AuditEntry, formatEntry } from './entry.ts';
import { HeldLog } from './held-log.ts';
import { rotateLog } from './rotate-log.ts';
import { auditClosed, type AuditSink, diskFull, toAuditFailure } from './sink.ts';

export interface FileSinkOptions {
  /** A plain file name; `audit.jsonl` by default. */
  readonly name?: string;
  /** The size from which a file counts as full; 16 MiB by default. */
  readonly maxBytes?: number;
  /** How many full files are kept besides the current one; 5 by default, at least 1. */
  readonly keep?: number;
  /** `background` by default; `each` waits for the disk after every line. */
  readonly flush?: 'each' | 'background';
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Appends entries to a file, one line of JSON each. Several processes may write to the same log.
 *
 * **Rotation.** A file that has reached `maxBytes` becomes `audit.1.jsonl`, the next one `audit.2.jsonl`, and
 * so on: the highest number is the newest, a file keeps its number, and `audit.jsonl` is always the current
 * one. Beyond `keep` the oldest files are removed. See `rotateLog` for why no line is lost or torn when
 * several processes rotate at once. New files are readable by their owner only.
 *
 * **Durability.** `record` returns when the kernel has the line, so it survives a crash of this process. It
 * survives a crash of the system once it is flushed, which happens in the background within about a second,
 * at most one flush at a time, and on `close`. With `flush: 'each'`, `record` waits for the flush; concurrent
 * records share one.
 *
 * **Failure.** A full disk, a log that cannot be written or rotated, or a failed background flush makes the
 * next record fail with `AUDIT_FAILED`. `ready` fails before the operation runs as soon as less than 4 KiB
 * are free, which is more than a usual line; if more than 256 MiB are free, it checks again only after 20 ms.
 * `readLog` skips a partial line that a full disk has left, and reads all lines after it. After a failure,
 * `ready` writes a blank line of 4 KiB to test whether there is room again.
 *
 * Not guaranteed: effects of other programs on the file. If it is moved or removed by hand, the lines of the
 * next 100 ms go with it. Two machines must not share a log on a network file system.
 *
 * The boundary stays the caller's; close the sink first.
 *
 * @throws {RootwardError} `AUDIT_FAILED` if the log cannot be opened, `INVALID_PATH`
 * @example
 * ```ts
 * const boundary = await openBoundary(process.cwd());
 * await openFileSink(boundary, { name: 'src' }) // throws AUDIT_FAILED
 * await openFileSink(boundary, { name: '../audit.jsonl' }) // throws INVALID_PATH
 * await boundary.close();
 * ```
 */
export async function openFileSink(boundary: Boundary, options: FileSinkOptions = {}): Promise<AuditSink> {
  const { name = 'audit.jsonl', maxBytes = 16 * 1024 * 1024, keep = 5, flush = 'background' } = options;
  const { now = () => performance.now() } = options;
  if (/[/\\]/.test(name))
    throw new RootwardError('INVALID_PATH', { path: name, reason: 'a log has a plain name' });
  const sink = startSink(boundary, { name, maxBytes, keep: Math.max(keep, 1), flush, now });
  try {
    if (await endsWithinLine(boundary, name)) sink.endLine();
    return sink;
  } catch (error) {
    await sink.close();
    throw toAuditFailure(error);
  }
}

function startSink(boundary: Boundary, options: Required<FileSinkOptions>): FileSink {
  try {
    return new FileSink(boundary, options);
  } catch (error) {
    throw toAuditFailure(error);
  }
}

/**
 * Whether a crash of the system or a full disk has left a partial line. Assumes not, if the log cannot be
 * read.
 */
async function endsWithinLine(boundary: Boundary, name: string): Promise<boolean> {
  try {
    await using reader = await boundary.open(name);
    const { size } = reader.info;
    return size > 0 && (await reader.read(size - 1, 1)).toString('latin1') !== '\n';
  } catch {
    return false;
  }
}

/**
 * Milliseconds for which the held file is assumed to be the current log. Checking takes longer than writing a
 * line.
 */
const trustedFor = 100;

/** As long as nearly every line: if this fits, the next line does. */
const emptyLine = `${' '.repeat(4_095)}\n`;

/** This many free bytes last for this many milliseconds. Checking takes longer than writing a line. */
const plenty = { bytes: 256 * 1024 * 1024, lasts: 20 } as const;

class FileSink implements AuditSink {
  readonly #boundary: Boundary;
  readonly #options: Required<FileSinkOptions>;
  #held: HeldLog;
  #lookedAt: number;
  /** Time until which enough free space is assumed. */
  #roomUntil = -Infinity;
  #rotating: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** Replaced files that are still being flushed. */
  readonly #leaving = new Set<Promise<void>>();
  /** A background failure that no caller has received yet. */
  #failure: { readonly error: unknown } | undefined;
  /**
   * The last failure, if it may repeat: a line that did not fit, or a full file that could not be rotated.
   */
  #stuck: 'line' | 'rotation' | undefined;

  constructor(boundary: Boundary, options: Required<FileSinkOptions>) {
    this.#boundary = boundary;
    this.#options = options;
    this.#held = this.#open();
    this.#lookedAt = options.now();
  }

  endLine(): void {
    this.#held.file.append('\n');
  }

  ready(): void | Promise<void> {
    return failClosed(() => {
      this.#requireHealthy();
      // A lack of space must be known before the operation, not after it.
      this.#requireRoom();
      if (this.#stuck === 'line') return this.#append(emptyLine);
      if (this.#stuck === 'rotation') return this.#makeRoom(this.#held);
    });
  }

  record(entry: AuditEntry): void | Promise<void> {
    return failClosed(() => {
      this.#requireHealthy();
      return this.#append(`${formatEntry(entry)}\n`);
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#finish();
    return this.#closed;
  }

  async #finish(): Promise<void> {
    await this.#rotating?.catch(() => {});
    this.#leave(this.#held);
    await Promise.all(this.#leaving);
    if (this.#failure !== undefined) throw toAuditFailure(this.#failure.error);
  }

  #requireHealthy(): void {
    if (this.#closed !== undefined) throw auditClosed();
    if (this.#failure === undefined) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw toAuditFailure(error);
  }

  #requireRoom(): void {
    const now = this.#options.now();
    if (this.#stuck === undefined && now < this.#roomUntil) return;
    const { file } = this.#held;
    if (file.hasRoom(plenty.bytes)) this.#roomUntil = now + plenty.lasts;
    else if (!file.hasRoom(emptyLine.length)) throw diskFull();
  }

  #append(line: string): void | Promise<void> {
    const { held, size } = this.#write(line);
    const flushed = held.written();
    if (size < this.#options.maxBytes) return flushed;
    return both(flushed, this.#makeRoom(held, line));
  }

  #write(line: string): { readonly held: HeldLog; readonly size: number } {
    const wasStuck = this.#stuck !== undefined;
    this.#stuck = 'line';
    const held = this.#current(wasStuck);
    const size = held.file.append(line);
    this.#stuck = undefined;
    return { held, size };
  }

  /** Returns the current log file, checked at most `trustedFor` ago. */
  #current(distrusted: boolean): HeldLog {
    const now = this.#options.now();
    if (distrusted || now - this.#lookedAt >= trustedFor) {
      if (!this.#held.file.isCurrent()) this.#replace(this.#held);
      this.#lookedAt = now;
    }
    return this.#held;
  }

  /** Rotates the full file, or moves on to the new one if another process has rotated it. */
  async #makeRoom(held: HeldLog, line = ''): Promise<void> {
    try {
      if (held.file.isCurrent()) await (this.#rotating ??= this.#rotate(held));
      else await this.#moveOn(held, line);
      if (this.#stuck === 'rotation') this.#stuck = undefined;
    } catch (error) {
      this.#stuck ??= 'rotation';
      throw error;
    }
  }

  async #rotate(held: HeldLog): Promise<void> {
    const { name, keep } = this.#options;
    try {
      await rotateLog(this.#boundary, { name, keep, log: held.file });
      if (!held.file.isCurrent()) this.#replace(held);
    } finally {
      this.#rotating = undefined;
    }
  }

  async #moveOn(held: HeldLog, line: string): Promise<void> {
    const isLost = held.file.isRemoved();
    this.#replace(held);
    if (!isLost) return;
    // The file was rotated out of existence in the meantime: write the line to the new one as well.
    this.#held.file.append(line);
    await this.#held.written();
  }

  /** Opens the current file, unless that has already happened. */
  #replace(held: HeldLog): void {
    if (this.#held !== held) return;
    this.#held = this.#open();
    this.#leave(held);
  }

  #open(): HeldLog {
    const { name, flush } = this.#options;
    return new HeldLog(this.#boundary, { name, flush, onFailure: this.#onFailure });
  }

  #leave(held: HeldLog): void {
    const leaving = held.close().catch(this.#onFailure);
    this.#leaving.add(leaving);
    void leaving.then(() => this.#leaving.delete(leaving));
  }

  readonly #onFailure = (error: unknown): void => {
    this.#failure = { error };
  };
}

/** Turns every failure into `AUDIT_FAILED`, thrown or rejected. */
function failClosed(run: () => void | Promise<void>): void | Promise<void> {
  try {
    return run()?.catch((error: unknown) => Promise.reject(toAuditFailure(error)));
  } catch (error) {
    throw toAuditFailure(error);
  }
}

async function both(one: void | Promise<void>, other: Promise<void>): Promise<void> {
  await Promise.all([one, other]);
}
