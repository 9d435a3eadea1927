import type * as Jsonc from 'jsonc-parser';
import { at } from './position.ts';
import { type Parsed, parseWithin } from './parsed.ts';

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
  const jsonc = await import('jsonc-parser');
  return parseWithin(text, () => parseWith(jsonc, text));
}

function parseWith({ parse, printParseErrorCode }: typeof Jsonc, text: string): Parsed {
  const errors: Jsonc.ParseError[] = [];
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
