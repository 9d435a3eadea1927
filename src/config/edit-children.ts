import { createScanner, type Node } from 'jsonc-parser';
import { isObject } from '../base/fields.ts';

/** Token kinds, by the numbers of the scanner. */
const token = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, space: 15 } as const;

/**
 * Inserts an item into an array or object at an index. Comments stay in place: one on the line of another
 * item stays on that line.
 */
export function insertChild(
  text: string,
  container: Node,
  { index, layout, print }: { index: number; layout: TextLayout; print: (indent: string) => string },
): string {
  const { children = [] } = container;
  const indent = indentOf(text, container.offset);
  const inner = indent + layout.unit;
  const isOneLine = !textOf(text, container).includes('\n') && children.length > 0;
  const item = isOneLine ? ` ${print(indent)}` : layout.eol + inner + print(inner);
  if (children.length === 0) return fillEmpty(text, container, { item, eol: layout.eol, indent });
  const previous = children[index - 1];
  const { end, comma } = endOfLine(text, previous === undefined ? container.offset + 1 : endOf(previous));
  if (previous === undefined || index < children.length) return splice(text, end, 0, `${item},`);
  const added = splice(text, end, 0, item);
  return comma ? added : splice(added, endOf(previous), 0, ',');
}

interface FirstChild {
  readonly item: string;
  readonly eol: string;
  readonly indent: string;
}

function fillEmpty(text: string, container: Node, { item, eol, indent }: FirstChild): string {
  const open = container.offset + 1;
  const close = endOf(container) - 1;
  const comments = text.slice(open, close).trimEnd();
  return text.slice(0, open) + comments + item + eol + indent + text.slice(close);
}

/**
 * Removes an item with its comments: those on its line, and on the lines directly above it. Comments that a
 * blank line separates stay.
 */
export function removeChild(text: string, container: Node, index: number): string {
  const { children = [] } = container;
  const [child, previous] = [children[index], children[index - 1]];
  if (child === undefined) return text;
  const before = previous === undefined ? container.offset + 1 : endOf(previous);
  const above = endOfLine(text, before);
  const lead = text.slice(above.end, child.offset);
  const [kept = ''] = /^[^]*\n[ \t]*(?=\r?\n)/.exec(lead) ?? [];
  const { end, comma } = endOfLine(text, endOf(child));
  const rest = joinLines(text.slice(0, above.end) + (kept.trim() === '' ? '' : kept), text.slice(end));
  if (comma || previous === undefined || !above.comma) return tidy(rest, container, children.length === 1);
  return splice(rest, commaAfter(text, before), 1, '');
}

/** Starts a new line after a `//` comment. */
function joinLines(one: string, next: string): string {
  const isOpen = /\/\/[^\n]*$/.test(one) && !/^[ \t]*\r?\n/.test(next);
  return isOpen ? `${one}\n${next}` : one + next;
}

/** Turns `[ ]` over two lines into `[]`. */
function tidy(text: string, { offset }: Node, isEmpty: boolean): string {
  const [space = ''] = isEmpty ? (/^\s*(?=[\]}])/.exec(text.slice(offset + 1)) ?? []) : [];
  return splice(text, offset + 1, space.length, '');
}

/** Finds the end of an item's line: behind its comma and the comments on the line of either. */
function endOfLine(text: string, start: number): { readonly end: number; readonly comma: boolean } {
  const scanner = createScanner(text, false);
  scanner.setPosition(start);
  let [end, comma, isSameLine] = [start, false, true];
  for (
    let kind: number = scanner.scan();
    isTrivia(kind) || (kind === token.comma && !comma);
    kind = scanner.scan()
  ) {
    if (kind === token.comma) [comma, isSameLine] = [true, true];
    if (kind === token.lineBreak) isSameLine = false;
    else if (kind !== token.space && isSameLine) end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return { end, comma };
}

function commaAfter(text: string, start: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(start);
  scanner.scan();
  return scanner.getTokenOffset();
}

function isTrivia(kind: number): boolean {
  return kind >= token.lineComment && kind <= token.space;
}

/** Returns the indent of the line at an offset. */
export function indentOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function textOf(text: string, node: Node): string {
  return text.slice(node.offset, endOf(node));
}

function splice(text: string, offset: number, length: number, added: string): string {
  return text.slice(0, offset) + added + text.slice(offset + length);
}

/** The layout of a text, so that additions match it. */
export interface TextLayout {
  /** One level of indentation. */
  readonly unit: string;
  readonly eol: string;
}

/** Detects the layout of a text; by default two spaces and posix line ends. */
export function layoutOf(text: string): TextLayout {
  const [, indent] = /\n([ \t]+)["{[]/.exec(text) ?? [];
  return {
    unit: indent?.startsWith('\t') ? '\t' : (indent ?? '  '),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** Prints a value as readable JSON: short lists of words on one line, everything else spread out. */
export function printJson(value: unknown, layout: TextLayout, indent = ''): string {
  if (!isObject(value)) return JSON.stringify(value);
  const inner = indent + layout.unit;
  const items = Array.isArray(value)
    ? value.map((item) => printJson(item, layout, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => printMember(key, member, layout, inner));
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  const short = `${open}${items.join(', ')}${close}`;
  if (Array.isArray(value) && !value.some(isObject) && short.length <= longestLine) return short;
  return `${open}${layout.eol}${items.map((item) => inner + item).join(`,${layout.eol}`)}${layout.eol}${indent}${close}`;
}

/** In characters. */
const longestLine = 80;

export function printMember(key: string, value: unknown, layout: TextLayout, indent: string): string {
  return `${JSON.stringify(key)}: ${printJson(value, layout, indent)}`;
}
