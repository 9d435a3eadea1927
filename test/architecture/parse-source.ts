import { type ParseResult, parseSync } from 'oxc-parser';

const parsed = new Map<string, ParseResult>();

/** The syntax tree of one file, parsed once; a file that cannot be parsed cannot be judged either. */
export function parseSource(file: string, text: string): ParseResult {
  const key = `${file}\n${text}`;
  const result = parsed.get(key) ?? parseSync(file, text);
  parsed.set(key, result);
  const [error] = result.errors;
  if (error !== undefined) throw new Error(`Cannot parse ${file}: ${error.message}`);
  return result;
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
