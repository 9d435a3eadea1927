import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ZodMiniType } from 'zod/mini';
import { isObject } from './fields.ts';
import { type JsonPath, placeText, readValue } from './read-value.ts';

/** A parsed text: its value, and the positions of its parts. */
export interface JsoncText {
  readonly value: unknown;
  /** Created on first use, because it takes far longer than the value. */
  readonly tree: Node;
}

export interface JsoncFault {
  readonly offset: number;
  readonly reason: string;
}

/**
 * Parses JSON with comments and trailing commas. A duplicate key is a fault, because one of the two would be
 * ignored.
 */
export function parseJsonc(text: string): JsoncText | { readonly fault: JsoncFault } {
  const quick = parseQuickly(text);
  return quick === undefined ? parseThoroughly(text) : withTree(text, quick.value);
}

function parseThoroughly(text: string): JsoncText | { readonly fault: JsoncFault } {
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text, errors, options);
    const [first] = errors;
    if (first !== undefined) return { fault: { offset: first.offset, reason: toWords(first) } };
    if (tree === undefined) return { fault: { offset: 0, reason: 'it is empty' } };
    return { value: valueOf(tree), tree };
  } catch (error) {
    if (error instanceof KeyTwice) return { fault: error };
    if (error instanceof RangeError) return { fault: { offset: 0, reason: 'it is nested too deeply' } };
    throw error;
  }
}

const options = { allowTrailingComma: true };

/** `CommaExpected` as `comma expected`. */
function toWords({ error }: ParseError): string {
  const words = printParseErrorCode(error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return words.toLowerCase().replace(/^invalid symbol$/, 'this is not JSON');
}

class KeyTwice extends Error implements JsoncFault {
  readonly offset: number;
  readonly reason = 'this key appears twice';

  constructor({ offset }: Node) {
    super();
    this.offset = offset;
  }
}

/** Every key becomes an own property, even `__proto__`. */
function valueOf({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(valueOf);
  if (type !== 'object') return value;
  const seen = new Set<unknown>();
  return Object.fromEntries(
    children.map(({ children: [key, member] = [] }) => {
      if (key !== undefined && seen.has(key.value)) throw new KeyTwice(key);
      seen.add(key?.value);
      return [String(key?.value), member && valueOf(member)];
    }),
  );
}

function withTree(text: string, value: unknown): JsoncText {
  let made: Node | undefined;
  return {
    value,
    get tree() {
      made ??= parseTree(text, [], options);
      if (made === undefined) throw new Error('a text that was read has no parts');
      return made;
    },
  };
}

/** Parses a text and reads it by a schema. A fault has its place: line, column, and the path in the value. */
export function readJsonc<Output>(
  text: string,
  schema: ZodMiniType<Output>,
): { readonly value: Output } | { readonly fault: { readonly place: string; readonly reason: string } } {
  const parsed = parseJsonc(text);
  if ('fault' in parsed) {
    const { offset, reason } = parsed.fault;
    return { fault: { place: placeAt(text, offset), reason } };
  }
  const read = readValue(schema, parsed.value);
  if ('value' in read) return read;
  const { path, reason } = read.fault;
  const { offset } = nodeAt(parsed.tree, path);
  return { fault: { place: `${placeAt(text, offset)} ${placeText(path)}`, reason } };
}

function placeAt(text: string, offset: number): string {
  const { line, column } = positionAt(text, offset);
  return `${line}:${column}`;
}

/** Returns the node at a path, or the nearest existing node above it. */
export function nodeAt(tree: Node, path: JsonPath): Node {
  if (path.length === 0) return tree;
  return findNodeAtLocation(tree, [...path]) ?? nodeAt(tree, path.slice(0, -1));
}

/** Line and column of an offset, as an editor counts them. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/**
 * Parses most files with `JSON.parse`, after blanking out comments and trailing commas. Returns `undefined`
 * where the result may be wrong, such as for a duplicate key.
 */
export function parseQuickly(text: string): { readonly value: unknown } | undefined {
  const bare = text.replace(commentOrText, blankComment).replace(trailingComma, keepText);
  try {
    const value: unknown = JSON.parse(bare);
    return countKeys(value) === countWritten(bare) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Matches strings too, so that comment marks within a string are not taken for comments. */
const commentOrText = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n\r]*|\/\*[^]*?\*\//g;

function blankComment(match: string): string {
  return match.startsWith('"') ? match : ' ';
}

const trailingComma = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/g;

/** A trailing comma follows a value. */
function keepText(match: string, offset: number, text: string): string {
  if (match !== ',') return match;
  let before = offset - 1;
  while (/\s/.test(text.charAt(before))) before -= 1;
  return /[[{,:]/.test(text.charAt(before)) ? match : '';
}

function countKeys(value: unknown): number {
  if (!isObject(value)) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countKeys(member), own);
}

/** Only a key is followed by a colon. */
function countWritten(bare: string): number {
  return bare.match(/"(?:[^"\\\n]|\\.)*"\s*:/g)?.length ?? 0;
}
