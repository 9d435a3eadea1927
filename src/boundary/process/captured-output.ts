/** The kept part of a program's output. */
export interface ProgramOutput {
  readonly text: string;
  /** The total size of the output in bytes. */
  readonly bytes: number;
  /** Bytes that were left out in the middle. */
  readonly omitted: number;
}

/**
 * Keeps the beginning and the end of a stream of any length: the beginning shows what a program was doing,
 * the end what went wrong. Cuts between lines where possible.
 */
export class CapturedOutput {
  readonly #head: number;
  readonly #tail: number;
  readonly #begin: Buffer[] = [];
  #end: Buffer[] = [];
  #beginBytes = 0;
  #endBytes = 0;
  #bytes = 0;

  constructor(limit: number) {
    this.#head = Math.floor(limit / 4);
    this.#tail = limit - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const first = chunk.subarray(0, this.#head - this.#beginBytes);
    if (first.length > 0) this.#begin.push(first);
    this.#beginBytes += first.length;
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.#end.push(rest);
    this.#endBytes += rest.length;
    // Collects twice the limit before trimming, so that each byte is copied once, not once per chunk.
    if (this.#endBytes > this.#tail * 2) this.#trim();
  }

  read(): ProgramOutput {
    this.#trim();
    const begin = Buffer.concat(this.#begin);
    const end = Buffer.concat(this.#end);
    const bytes = this.#bytes;
    if (begin.length + end.length === bytes)
      return { text: Buffer.concat([begin, end]).toString('utf8'), bytes, omitted: 0 };
    const before = begin.subarray(0, lineEnd(begin));
    const after = end.subarray(lineStart(end));
    const omitted = bytes - before.length - after.length;
    const text = `${before.toString('utf8')}\n[${omitted} bytes left out]\n${after.toString('utf8')}`;
    return { text, bytes, omitted };
  }

  #trim(): void {
    const surplus = this.#endBytes - this.#tail;
    if (surplus <= 0) return;
    this.#end = [Buffer.concat(this.#end).subarray(surplus)];
    this.#endBytes = this.#tail;
  }
}

/** Leaves out an incomplete last line, or at least an incomplete character. */
function lineEnd(bytes: Buffer): number {
  const line = bytes.lastIndexOf(0x0a);
  if (line >= bytes.length / 2) return line;
  let end = bytes.length;
  // A character that begins near the end and is not complete.
  for (let back = 1; back <= Math.min(3, end); back += 1) {
    const byte = bytes[end - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    if (byte >= 0xc0 && lengthOf(byte) > back) end -= back;
    break;
  }
  return end;
}

function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

function lineStart(bytes: Buffer): number {
  const line = bytes.indexOf(0x0a);
  if (line !== -1 && line < bytes.length / 2) return line + 1;
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
