import { closeSync, fstatSync, statfsSync, writeSync } from 'node:fs';
import { RootwardError } from '../../errors.ts';
import { flushData } from '../read/transfer.ts';
import { type BoundaryContext, type BoundaryRequest, askWitness } from '../step/context.ts';
import { pinLast } from '../step/open-file.ts';
import { LinkFound, resolve } from '../step/resolve.ts';
import { errnoError, translate } from '../system/errno.ts';
import { identityOf } from '../system/file-info.ts';
import { type AppendOptions, type OpenEnd, openEnd } from './append.ts';

/** A file that is kept open for appending whole lines, by several processes at once. */
export interface LogFile {
  /**
   * Appends the data in one write, which other processes cannot interleave; returns the size of the file
   * after it. If it fails, a part may have been written; the next append then begins a new line, so that only
   * that part is damaged.
   */
  append(data: string): number;
  /** Whether the name still leads to this file. `false` after `close`. */
  isCurrent(): boolean;
  /** Whether the file has no name left, so that its content can no longer be read. */
  isRemoved(): boolean;
  /** Whether this many bytes would fit on the disk right now. */
  hasRoom(bytes: number): boolean;
  /** Flushes everything appended before to the disk. */
  flush(): Promise<void>;
  /** Must not be called during a flush. */
  close(): void;
}

/** Opens a log file. Its descriptor is closed by `close`. */
export function openLogFile(context: BoundaryContext, path: string, options: AppendOptions = {}): LogFile {
  const leave = context.lease.enter();
  try {
    return new OpenLog(context, { path, ...openEnd(context, path, options) }, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

class OpenLog implements LogFile {
  readonly #context: BoundaryContext;
  readonly #request: BoundaryRequest;
  readonly #leave: () => void;
  readonly #relative: string;
  #fd: number | undefined;
  /** Whether the last write ended within a line. */
  #torn = false;

  constructor(
    context: BoundaryContext,
    { path, fd, relative }: OpenEnd & { path: string },
    leave: () => void,
  ) {
    this.#context = context;
    this.#request = { operation: 'write', verb: 'append to', path };
    this.#leave = leave;
    this.#fd = fd;
    this.#relative = relative;
  }

  append(data: string): number {
    const fd = this.#requireOpen();
    try {
      askWitness(this.#context, this.#request, this.#relative);
      // A short write means a full disk. The rest could land behind another process's line, so the whole line
      // is written again.
      if (!this.#writeWhole(fd, data) && !this.#writeWhole(fd, data)) throw errnoError('ENOSPC');
      return fstatSync(fd).size;
    } catch (error) {
      throw translate(error, this.#request);
    }
  }

  hasRoom(bytes: number): boolean {
    const { driver, top } = this.#context;
    const { bavail, bsize } = statfsSync(driver.self(top));
    return bavail * bsize >= bytes;
  }

  isCurrent(): boolean {
    if (this.#fd === undefined) return false;
    try {
      return currentIdentity(this.#context, this.#request) === identityOf(this.#fd);
    } catch {
      return false;
    }
  }

  isRemoved(): boolean {
    return fstatSync(this.#requireOpen()).nlink === 0;
  }

  async flush(): Promise<void> {
    const fd = this.#requireOpen();
    try {
      await flushData(fd);
    } catch (error) {
      throw translate(error, this.#request);
    }
  }

  close(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    this.#leave();
  }

  /** After `close`, the number may belong to another file. */
  #requireOpen(): number {
    if (this.#fd === undefined) throw new RootwardError('CLOSED', { root: this.#context.name });
    return this.#fd;
  }

  #writeWhole(fd: number, data: string): boolean {
    const text = this.#torn ? `\n${data}` : data;
    this.#torn = writeSync(fd, text) < Buffer.byteLength(text);
    this.#context.witness?.afterEffect({ kind: 'written', relative: this.#relative });
    return !this.#torn;
  }
}

/** The identity of the file that the name leads to now. Opens and creates nothing. */
function currentIdentity(context: BoundaryContext, request: BoundaryRequest): string {
  return resolve(context, request, (step) => {
    const pinned = pinLast(context, request, step);
    if (pinned instanceof LinkFound) return pinned;
    try {
      return pinned.seen?.identity ?? identityOf(pinned.fd);
    } finally {
      context.driver.close(pinned);
    }
  });
}
