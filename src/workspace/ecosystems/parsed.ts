import { endAfter, ended } from '../../base/end-after.ts';

/** What a parser made of a text: a value, or where and why it could not. */
export type Parsed<Value = unknown> = { readonly value: Value } | { readonly fault: string };

/** Milliseconds that a parser may hold the process; real manifests take a few. */
const longest = 250;

/** Characters of a text that no parser needs long for. Most manifests are shorter, and to watch a parser takes time, too. */
const harmless = 4_096;

/** Parses a text from a repository that may be hostile, and ends the parser when it takes too long. */
export function parseWithin<Value>(
  text: string,
  parse: (text: string) => Parsed<Value>,
  milliseconds: number = longest,
): Parsed<Value> {
  if (text.length <= harmless) return parse(text);
  const parsed = endAfter(milliseconds, () => parse(text));
  return parsed === ended ? { fault: 'it takes too long to parse' } : parsed;
}
