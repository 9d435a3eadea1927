import type { Readable } from 'node:stream';
import { SalvagedMessage } from '../../base/salvaged-message.ts';

/** Bytes of the longest line. A longer one is dropped, and reading continues after it. */
export const longestMessage: number = 10 * 1024 * 1024;

export interface LineListener {
  /** A line with its line break, as it came. */
  line(bytes: Buffer): void;
  /** The end of a line that was too long, with what is known of it. */
  tooLong(message: SalvagedMessage): void;
  /** The input has ended or failed. */
  end(): void;
}

const lineBreak = 0x0a;

/**
 * Splits a stream into lines without decoding them, so that they can be passed on as they came. A line that arrived
 * in one piece is not copied.
 */
export class LineReader {
  readonly #input: Readable;
  readonly #listener: LineListener;
  /** The beginning of an unfinished line. */
  #rest: Buffer[] = [];
  #restLength = 0;
  /** Facts about a line that is too long, until it ends. */
  #tooLong: SalvagedMessage | undefined;
  #ended = false;

  constructor(input: Readable, listener: LineListener) {
    this.#input = input;
    this.#listener = listener;
    input.on('data', this.#read).on('end', this.#end).on('close', this.#end).on('error', this.#end);
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
  }

  pause(): void {
    this.#input.pause();
  }

  resume(): void {
    if (!this.#ended) this.#input.resume();
  }

  /** Ends without another call of the listener. */
  close(): void {
    this.#ended = true;
    // A stream that is read keeps the process alive.
    this.#input.off('data', this.#read).pause();
    this.#rest = [];
  }

  readonly #read = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(lineBreak); end !== -1; end = chunk.indexOf(lineBreak, start)) {
      if (this.#ended) return;
      this.#finish(chunk.subarray(start, end + 1));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  };

  #finish(last: Buffer): void {
    if (this.#tooLong === undefined && this.#restLength + last.length > longestMessage + 1) this.#giveUp();
    if (this.#tooLong !== undefined) {
      const message = this.#tooLong;
      message.push(last);
      this.#tooLong = undefined;
      return this.#listener.tooLong(message);
    }
    const line = this.#rest.length === 0 ? last : Buffer.concat([...this.#rest, last]);
    this.#rest = [];
    this.#restLength = 0;
    this.#listener.line(line);
  }

  #keep(chunk: Buffer): void {
    if (this.#tooLong !== undefined) return this.#tooLong.push(chunk);
    this.#rest.push(chunk);
    this.#restLength += chunk.length;
    if (this.#restLength > longestMessage) this.#giveUp();
  }

  #giveUp(): void {
    this.#tooLong = new SalvagedMessage();
    for (const chunk of this.#rest) this.#tooLong.push(chunk);
    this.#rest = [];
    this.#restLength = 0;
  }

  readonly #end = (): void => {
    if (this.#ended) return;
    // The last line of a pipe may lack its line break.
    if (this.#restLength > 0) this.#finish(Buffer.from('\n'));
    this.#ended = true;
    this.#listener.end();
  };
}
