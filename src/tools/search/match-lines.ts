import { createContext, Script } from 'node:vm';
import { RootwardError } from '../../errors.ts';
import type { FoundLine, TextQuery } from './text-query.ts';

/** Finds the lines of one text. */
export type MatchLines = (text: string) => readonly FoundLine[];

const timedOut = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** How long one text may take, while nothing else runs: far more than a sane pattern needs. */
const patience = 250;

/**
 * The query as a function, where there is no ripgrep. The expressions of JavaScript can take for ever, so
 * they run under a clock, and a pattern that takes too long is refused.
 *
 * @throws {RootwardError} `INVALID_PATTERN`, at once or when it is used
 */
export function createMatchLines(query: TextQuery): MatchLines {
  const sandbox = { expression: compile(query), lines: [] as readonly string[] };
  const context = createContext(sandbox);
  const script = new Script('lines.map((line) => line.search(expression))');
  return (text) => {
    sandbox.lines = text.split(/\r?\n/);
    try {
      const places = script.runInContext(context, { timeout: patience }) as readonly number[];
      return withContext(sandbox.lines, places, query);
    } catch (error) {
      // It comes from the other realm, and is no `Error` of this one.
      const isTime = (error as { readonly code?: unknown }).code === timedOut;
      if (!isTime) throw error;
      throw invalid(query, 'it takes too long on this text');
    } finally {
      sandbox.lines = [];
    }
  };
}

function compile(query: TextQuery): RegExp {
  const { pattern, literal, ignoreCase, wholeWord } = query;
  const plain = literal ? pattern.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&') : pattern;
  const source = wholeWord ? `(?<![\\w])(?:${plain})(?![\\w])` : plain;
  const flags = ignoreCase ? 'i' : '';
  // The strict grammar knows more, the loose one permits more.
  const [first, second] = [tryCompile(source, `${flags}u`), tryCompile(source, flags)];
  if (first instanceof RegExp) return first;
  if (second instanceof RegExp) return second;
  throw invalid(query, second);
}

function tryCompile(source: string, flags: string): RegExp | string {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*: /, '') : 'it is malformed';
  }
}

function invalid({ pattern }: TextQuery, reason: string): RootwardError<'INVALID_PATTERN'> {
  return new RootwardError('INVALID_PATTERN', { pattern, reason });
}

function withContext(
  lines: readonly string[],
  places: readonly number[],
  { context, perFile }: TextQuery,
): readonly FoundLine[] {
  const found = new Map<number, FoundLine>();
  let matches = 0;
  for (const [index, at] of places.entries()) {
    // What follows the last newline is no line.
    if (at === -1 || (index === lines.length - 1 && lines[index] === '')) continue;
    if (matches === perFile) break;
    matches += 1;
    const last = Math.min(lines.length - 1, index + context);
    for (let near = Math.max(0, index - context); near <= last; near += 1) {
      if (!found.has(near)) found.set(near, { line: near + 1, text: lines[near] ?? '' });
    }
    found.set(index, { line: index + 1, text: lines[index] ?? '', at });
  }
  return [...found.values()].toSorted((one, other) => one.line - other.line);
}
