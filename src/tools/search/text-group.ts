import type { FileText } from '../../boundary/read/read-texts.ts';
import { limits } from '../tool/answer-limits.ts';
import type { FileHits, FoundLine, TextQuery } from './text-query.ts';

interface Member extends FileText {
  /** Offset of its first byte among all texts. */
  readonly start: number;
  matches: number;
  /** End of the line that matched last. */
  end: number;
  /** Offsets of matches in it, if lines are to be shown. */
  readonly places: number[];
}

/** Texts that are searched together, and the matches of each. Holds the texts until their lines are read. */
export class TextGroup {
  readonly #query: TextQuery;
  readonly #members: Member[] = [];
  #size = 0;
  /** The member that contained the last match. */
  #current = 0;
  #matches = 0;

  constructor(query: TextQuery) {
    this.#query = query;
  }

  /** Total size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Whether enough matching lines were found. */
  get isEnough(): boolean {
    return this.#matches >= (this.#query.lines ?? Number.POSITIVE_INFINITY);
  }

  /** Adds texts, and returns them as one buffer, each with a final newline. */
  add(texts: readonly FileText[]): Buffer {
    const pieces: Buffer[] = [];
    for (const { path, bytes } of texts) {
      this.#members.push({ path, bytes, start: this.#size, matches: 0, end: -1, places: [] });
      const whole = bytes.at(-1) === newline ? [bytes] : [bytes, ending];
      pieces.push(...whole);
      this.#size += whole.reduce((total, { length }) => total + length, 0);
    }
    return Buffer.concat(pieces);
  }

  /**
   * Records a matching line by the offset of its match among all texts, in order. Returns `true` if no more are needed.
   * A line counts once, although ripgrep takes a lone carriage return as the end of one.
   */
  match(place: number): boolean {
    while ((this.#members[this.#current + 1]?.start ?? Number.POSITIVE_INFINITY) <= place) this.#current += 1;
    const member = this.#members[this.#current];
    if (member === undefined || member.matches === this.#query.perFile) return false;
    const at = place - member.start;
    if (at <= member.end) return false;
    const end = member.bytes.indexOf(newline, at);
    member.end = end === -1 ? member.bytes.length : end;
    member.matches += 1;
    if (this.#query.lines === undefined) return false;
    member.places.push(at);
    this.#matches += 1;
    return this.isEnough;
  }

  /** Returns the matches, file by file. */
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

/** Reads lines of a text in order. */
class LineReader {
  readonly #bytes: Buffer;
  readonly #context: number;
  /** The line number at the byte up to which lines were counted. */
  #line = 1;
  #counted = 0;

  constructor(bytes: Buffer, context: number) {
    this.#bytes = bytes;
    this.#context = context;
  }

  /** Yields matching lines and their context, each once; nothing up to the line of the previous match. */
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

  /** Returns the start of the first context line before this one, but not before the lines already shown. */
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

  /** Reads a line by its start. Decodes only the part of a very long line that could be shown around the match. */
  #read(start: number, match?: number): FoundLine {
    const line = this.#count(start);
    const around = match ?? start;
    const from = Math.max(start, around - limits.line * 4);
    const to = Math.min(this.#endOf(around), around + limits.line * 8);
    const text = this.#bytes.toString('utf8', from, to).replace(/\r$/, '');
    if (match === undefined) return { line, text };
    return { line, text, at: this.#bytes.toString('utf8', from, match).length };
  }

  /** Counts byte by byte, because a call per newline would be slower with many lines. */
  #count(start: number): number {
    for (; this.#counted < start; this.#counted += 1) {
      if (this.#bytes[this.#counted] === newline) this.#line += 1;
    }
    return this.#line;
  }
}
