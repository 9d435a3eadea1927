import type { FileText } from '../../boundary/read/read-texts.ts';
import { limits } from '../tool/answer-limits.ts';
import type { FileHits, FoundLine, TextQuery } from './text-query.ts';

interface Member extends FileText {
  /** Of its first byte among all texts. */
  readonly start: number;
  matches: number;
  /** Where matches begin in it, as far as lines are to be shown. */
  readonly places: number[];
}

/** Texts that are looked at together, and what is found in each. It holds them until their lines were taken. */
export class TextGroup {
  readonly #query: TextQuery;
  readonly #members: Member[] = [];
  #size = 0;
  /** The member that the last match was in. */
  #current = 0;
  #matches = 0;

  constructor(query: TextQuery) {
    this.#query = query;
  }

  /** Bytes of all texts. */
  get size(): number {
    return this.#size;
  }

  /** Whether all lines that are needed were found. */
  get isEnough(): boolean {
    return this.#matches >= (this.#query.lines ?? Number.POSITIVE_INFINITY);
  }

  /** Takes texts in, and gives them back in one piece, each with a newline at its end. */
  add(texts: readonly FileText[]): Buffer {
    const pieces: Buffer[] = [];
    for (const { path, bytes } of texts) {
      this.#members.push({ path, bytes, start: this.#size, matches: 0, places: [] });
      const whole = bytes.at(-1) === newline ? [bytes] : [bytes, ending];
      pieces.push(...whole);
      this.#size += whole.reduce((total, { length }) => total + length, 0);
    }
    return Buffer.concat(pieces);
  }

  /** Notes a line that matches, by the place of its match among all texts: in order. `true` if no more are needed. */
  match(place: number): boolean {
    while ((this.#members[this.#current + 1]?.start ?? Number.POSITIVE_INFINITY) <= place) this.#current += 1;
    const member = this.#members[this.#current];
    if (member === undefined || member.matches === this.#query.perFile) return false;
    member.matches += 1;
    if (this.#query.lines === undefined) return false;
    member.places.push(place - member.start);
    this.#matches += 1;
    return this.isEnough;
  }

  /** What was found, file by file. */
  *hits(): Iterable<FileHits> {
    const { context } = this.#query;
    for (const { path, bytes, matches, places } of this.#members) {
      const lines: FileHits['lines'] = (skip, most) =>
        new LineReader(bytes, context).around(places.slice(skip, skip + most), places[skip - 1]);
      if (matches > 0) yield { path, matches, lines };
    }
  }
}

const newline = 0x0a;
const ending = Buffer.of(newline);

/** Reads lines of a text, from its beginning to its end. */
class LineReader {
  readonly #bytes: Buffer;
  readonly #context: number;
  /** The number of the line that holds the byte up to which lines are counted. */
  #line = 1;
  #counted = 0;

  constructor(bytes: Buffer, context: number) {
    this.#bytes = bytes;
    this.#context = context;
  }

  /** Lines with matches and around them, each once; none up to the line of the match before. */
  *around(places: readonly number[], before: number | undefined): Iterable<FoundLine> {
    let shown = before === undefined ? 0 : this.#endOf(before) + 1;
    let owed = 0;
    for (const place of places) {
      const start = this.#startOf(place);
      for (; owed > 0 && shown < start; owed -= 1) {
        yield this.#read(shown);
        shown = this.#endOf(shown) + 1;
      }
      for (let near = this.#back(start, shown); near < start; near = this.#endOf(near) + 1)
        yield this.#read(near);
      yield this.#read(start, place);
      shown = this.#endOf(place) + 1;
      owed = this.#context;
    }
    for (; owed > 0 && shown < this.#bytes.length; owed -= 1) {
      yield this.#read(shown);
      shown = this.#endOf(shown) + 1;
    }
  }

  /** The start of the first line around the one that begins here, not before what was shown. */
  #back(start: number, shown: number): number {
    let near = start;
    for (let line = 0; line < this.#context && near > shown; line += 1) near = this.#startOf(near - 1);
    return near;
  }

  #startOf(place: number): number {
    return place === 0 ? 0 : this.#bytes.lastIndexOf(newline, place - 1) + 1;
  }

  #endOf(place: number): number {
    const end = this.#bytes.indexOf(newline, place);
    return end === -1 ? this.#bytes.length : end;
  }

  /** A line by its start. Of a very long one only what could be shown around the match is made into a string. */
  #read(start: number, match?: number): FoundLine {
    const line = this.#count(start);
    const around = match ?? start;
    const from = Math.max(start, around - limits.line * 4);
    const to = Math.min(this.#endOf(around), around + limits.line * 8);
    const text = this.#bytes.toString('utf8', from, to).replace(/\r$/, '');
    if (match === undefined) return { line, text };
    return { line, text, at: this.#bytes.toString('utf8', from, match).length };
  }

  /** Byte by byte: a call for each newline would take longer where there are many. */
  #count(start: number): number {
    for (; this.#counted < start; this.#counted += 1) {
      if (this.#bytes[this.#counted] === newline) this.#line += 1;
    }
    return this.#line;
  }
}
