import { createContext, Script } from 'node:vm';

/** What a parser made of a text: a value, or where and why it could not. */
export type Parsed<Value = unknown> = { readonly value: Value } | { readonly fault: string };

/** Milliseconds that a parser may hold the process; real manifests take a few. */
const longest = 250;

/** Characters of a text that no parser needs long for. Most manifests are shorter, and a limit takes a millisecond. */
const harmless = 4_096;

/**
 * Parses a text from a repository that may be hostile, and ends the parser when it takes too long. `parse` must not
 * wait for anything, and must not leave anything behind when it is ended midway.
 *
 * Node ends the script that calls `parse`, and `parse` with it, on the same thread. That bounds the time, not the
 * memory: the size of a file bounds what becomes of it.
 */
export function parseWithin<Value>(
  text: string,
  parse: (text: string) => Parsed<Value>,
  milliseconds: number = longest,
): Parsed<Value> {
  if (text.length <= harmless) return parse(text);
  const place: { parse: () => void; parsed?: Parsed<Value> } = {
    parse: () => void (place.parsed = parse(text)),
  };
  try {
    new Script('parse()').runInContext(createContext(place), { timeout: milliseconds });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  return place.parsed ?? { fault: 'it takes too long to parse' };
}
