import { type ParseResult, parseSync } from 'oxc-parser';

/** The syntax tree of one file; a file that cannot be parsed cannot be judged either. */
export function parseSource(file: string, text: string): ParseResult {
  const result = parseSync(file, text);
  const [error] = result.errors;
  if (error !== undefined) throw new Error(`Cannot parse ${file}: ${error.message}`);
  return result;
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
