import type * as Yaml from 'yaml';
import { type Parsed, parseWithin } from './parsed.ts';
import { at, hasOpenBrackets } from './position.ts';

/** Far more than any manifest has. Deeper ones exhaust the stack of the parser, which ends the process. */
const deepest = 64;

/** Brackets that are open at a time, some of which may be letters of a text: for what need not be parsed at all. */
const brackets = 1_000;

/**
 * YAML 1.2, one document. Looks at the depth first, which the first half of the parser tells without
 * recursion. Errors without their surroundings: to make those takes minutes for a file of nothing but errors.
 *
 * @throws {ReferenceError} for aliases that lead nowhere or multiply
 */
export async function parseYaml(text: string): Promise<Parsed> {
  if (hasOpenBrackets(text, brackets)) return { fault: `it is nested more than ${deepest} levels deep` };
  const yaml = await import('yaml');
  return parseWithin(text, () => parseDocument(text, yaml));
}

function parseDocument(text: string, { Composer, Parser }: typeof Yaml): Parsed {
  const tokens = [...new Parser().parse(text)];
  if (isDeeper(tokens, deepest)) return { fault: `it is nested more than ${deepest} levels deep` };
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
