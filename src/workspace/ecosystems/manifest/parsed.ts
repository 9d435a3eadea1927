import { endAfter, ended } from '../../../base/end-after.ts';
import { ownField } from '../../../base/fields.ts';

/** The result of a parser: a value, or where and why there is none. */
export type ManifestValue<Value = unknown> = { readonly value: Value } | { readonly fault: string };

/** Milliseconds that a parser may block the process; real manifests take a few. */
const longest = 250;

/**
 * Texts of up to this many characters are parsed without a time limit, which itself costs time. Most
 * manifests are shorter.
 */
const harmless = 4_096;

/** Parses a text from a possibly hostile repository, and interrupts the parser when it takes too long. */
export function parseWithin<Value>(
  text: string,
  parse: (text: string) => ManifestValue<Value>,
  milliseconds: number = longest,
): ManifestValue<Value> {
  if (text.length <= harmless) return parse(text);
  const parsed = endAfter(milliseconds, () => parse(text));
  return parsed === ended ? { fault: 'it takes too long to parse' } : parsed;
}

/** Line and column of an offset, as an editor counts them. */
export function at(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}

/**
 * Whether brackets outside of texts are nested deeper than this. Exact for JSON; in other formats a quote may
 * be an ordinary character.
 */
export function hasOpenBrackets(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let [depth, isInText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') isInText = !isInText;
    else if (isInText) at += mark === '\\' ? 1 : 0;
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/**
 * Returns the value at a path through parsed data, by own names only: a `__proto__` in a file leads nowhere.
 */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(ownField, value);
}
