import type * as Jsonc from 'jsonc-parser';
import type * as Yaml from 'yaml';
import { at, hasOpenBrackets, type ManifestValue, parseWithin } from './parsed.ts';

/** Parses JSON, and if that fails, JSON with comments and trailing commas, as editors and Deno write it. */
export async function parseJson(text: string): Promise<ManifestValue> {
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

/** The engine's own parser cannot be interrupted, and is slow for very deep values. */
const limits = { depth: 1_000, lenient: 262_144 } as const;

/** Loaded only if needed: most manifests are plain JSON. */
async function parseLenient(text: string): Promise<ManifestValue> {
  // By name, so that a bundle leaves out the rest of the package.
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  return parseWithin(text, () => parseWith({ parse, printParseErrorCode }, text));
}

type Parser = Pick<typeof Jsonc, 'parse' | 'printParseErrorCode'>;

function parseWith({ parse, printParseErrorCode }: Parser, text: string): ManifestValue {
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

/** Every part of a key becomes a table, which takes hundreds of bytes. */
const deepKey = /^[^=\n"']*?(?:\.[^=\n."']*){64}/m;

export async function parseToml(text: string): Promise<ManifestValue> {
  if (deepKey.test(text)) return { fault: 'a key in it has more than 64 parts' };
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parseWithin(text, () => ({ value: parse(text) }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '');
    return { fault: `line ${error.line}, column ${error.column}: ${reason}` };
  }
}

/** Far more than real manifests have. Deeper ones exhaust the stack of the parser, which ends the process. */
const deepestYaml = 64;

/** Limit of simultaneously open brackets, a cheap check before parsing; some may be part of a text. */
const brackets = 1_000;

/**
 * Parses YAML 1.2, one document. Checks the depth first, which the tokenizer reports without recursion.
 * Errors have no excerpt: creating those takes minutes for a file of nothing but errors.
 *
 * @throws {ReferenceError} for aliases that are undefined or multiply
 */
export async function parseYaml(text: string): Promise<ManifestValue> {
  if (hasOpenBrackets(text, brackets)) return { fault: `it is nested more than ${deepestYaml} levels deep` };
  const yaml = await import('yaml');
  return parseWithin(text, () => parseDocument(text, yaml));
}

function parseDocument(text: string, { Composer, Parser }: typeof Yaml): ManifestValue {
  const tokens = [...new Parser().parse(text)];
  if (isDeeper(tokens, deepestYaml)) return { fault: `it is nested more than ${deepestYaml} levels deep` };
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (second !== undefined) return { fault: `${at(text, second.range[0])}: one document is expected` };
  const [error] = document?.errors ?? [];
  if (error !== undefined) return { fault: `${at(text, error.pos[0])}: ${error.message}` };
  return { value: document?.toJS({ maxAliasCount: 100 }) };
}

function isDeeper(tokens: readonly Yaml.CST.Token[], levels: number): boolean {
  let level = tokens.flatMap(childrenOf);
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) level = level.flatMap(childrenOf);
  return level.length > 0;
}

function childrenOf(token: Yaml.CST.Token): readonly Yaml.CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items
    .flatMap(({ key, value }) => [key, value])
    .filter((child) => child !== null && child !== undefined);
}
