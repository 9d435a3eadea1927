import type { FileReader } from '../boundary/read/file-reader.ts';

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
