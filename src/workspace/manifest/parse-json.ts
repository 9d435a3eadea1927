import type { ParseError } from 'jsonc-parser';
import { at } from './position.ts';
import type { Parsed } from './parsed.ts';

/** JSON, and if it is none, JSON with comments and commas at the end, as editors and Deno write it. */
export async function parseJson(text: string): Promise<Parsed> {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return parseLenient(text);
  }
}

/** Loaded only if needed: most manifests are plain JSON. */
async function parseLenient(text: string): Promise<Parsed> {
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { value };
  return { fault: `${at(text, first.offset)}: ${toWords(printParseErrorCode(first.error))}` };
}

/** `CommaExpected` as `comma expected`. */
function toWords(code: string): string {
  return code
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/^<.*>$/, 'not JSON');
}
