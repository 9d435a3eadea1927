import type * as Jsonc from 'jsonc-parser';
import { at, hasOpenBrackets } from './position.ts';
import { type Parsed, parseWithin } from './parsed.ts';

/** JSON, and if it is none, JSON with comments and commas at the end, as editors and Deno write it. */
export async function parseJson(text: string): Promise<Parsed> {
  if (hasOpenBrackets(text, limits.depth))
    return { fault: `it is nested more than ${limits.depth} levels deep` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return text.length > limits.lenient
      ? {
          fault: `it is not JSON, and longer than ${limits.lenient} characters, so that no comments are looked for`,
        }
      : parseLenient(text);
  }
}

/** Nothing ends the engine's own parser, which takes long for a value that is very deep. */
const limits = { depth: 1_000, lenient: 262_144 } as const;

/** Loaded only if needed: most manifests are plain JSON. */
async function parseLenient(text: string): Promise<Parsed> {
  // By name, so that a bundle leaves out the rest of the package.
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  return parseWithin(text, () => parseWith({ parse, printParseErrorCode }, text));
}

type Parser = Pick<typeof Jsonc, 'parse' | 'printParseErrorCode'>;

function parseWith({ parse, printParseErrorCode }: Parser, text: string): Parsed {
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
