import { isFields } from '../../base/fields.ts';

/** A part of the bytes of a message. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

const [quotes, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Bytes of a text that are compared one by one before the search of the system takes over. */
const nearby = 64;

/**
 * Finds the fields of a JSON object and where their values are, without parsing these: a result of a mebibyte is
 * passed on for the price of its quotation marks. A field that stands twice counts as `JSON.parse` counts it, by its
 * last value; `met` receives each name as often as it stands there. Returns `undefined` if the bytes are no object.
 *
 * Not guaranteed: that the values are valid JSON, and that nothing follows the object.
 */
export function scanObject(
  bytes: Buffer,
  from = 0,
  met?: (name: string) => void,
): ReadonlyMap<string, ByteSpan> | undefined {
  const fields = new Map<string, ByteSpan>();
  let at = skipSpace(bytes, from);
  if (bytes[at] !== openBrace) return undefined;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === closeBrace) return fields;
  for (;;) {
    const name = { start: at, end: skipText(bytes, at) };
    if (name.end < 0) return undefined;
    at = skipSpace(bytes, name.end);
    if (bytes[at] !== colon) return undefined;
    const start = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, start);
    if (end <= start) return undefined;
    const text = nameAt(bytes, name);
    met?.(text);
    fields.set(text, { start, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === closeBrace) return fields;
    if (bytes[at] !== comma) return undefined;
    at = skipSpace(bytes, at + 1);
  }
}

/** Whether the bytes are one valid object, and nothing else. */
export function isOneObject(bytes: Buffer): boolean {
  return isFields(valueAt(bytes, { start: 0, end: bytes.length }));
}

/** Parses one value; `undefined` if it is not valid. */
export function valueAt(bytes: Buffer, span: ByteSpan | undefined): unknown {
  if (span === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8', span.start, span.end));
  } catch {
    return undefined;
  }
}

function nameAt(bytes: Buffer, { start, end }: ByteSpan): string {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? String(valueAt(bytes, { start, end })) : text;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] ?? 0)) at += 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** The end of the value that begins here; -1 if there is none. */
function skipValue(bytes: Buffer, from: number): number {
  const first = bytes[from];
  if (first === quotes) return skipText(bytes, from);
  if (first === openBrace || first === openBracket) return skipNested(bytes, from);
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)) break;
  }
  return at;
}

function skipNested(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quotes) {
      const end = skipText(bytes, at);
      if (end < 0) return -1;
      at = end - 1;
    } else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** The end of the text whose first quotation mark is here; -1 if there is none. */
function skipText(bytes: Buffer, from: number): number {
  if (bytes[from] !== quotes) return -1;
  const near = Math.min(bytes.length, from + nearby);
  for (let at = from + 1; at < near; at += 1) {
    if (bytes[at] === quotes) return at + 1;
    if (bytes[at] === backslash) at += 1;
    if (at >= near) return skipFar(bytes, at + 1);
  }
  return skipFar(bytes, near);
}

/** The same in a long text, from a byte on that is not escaped. */
function skipFar(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(quotes, from); at !== -1; at = bytes.indexOf(quotes, at + 1)) {
    let slashes = 0;
    while (at - slashes - 1 >= from && bytes[at - slashes - 1] === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}
