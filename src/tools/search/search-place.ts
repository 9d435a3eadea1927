import type { Boundary } from '../../boundary/boundary.ts';
import { textIn } from '../../boundary/read/read-part.ts';
import type { FileText } from '../../boundary/read/read-texts.ts';
import type { TextReaders } from '../../boundary/read/text-readers.ts';
import { RootwardError } from '../../errors.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits } from '../tool/answer-limits.ts';
import { type SearchStart, startAt } from '../tool/search-start.ts';
import { type MatcherOptions, plainPattern, type StartMatcher, startPlain } from './matcher.ts';
import { searchTexts } from './search-texts.ts';
import { fileFilter, type HitStream, type TextQuery } from './text-query.ts';

export interface SearchOptions {
  /** Absolute path of ripgrep; without it JavaScript is used. */
  readonly ripgrep: string | undefined;
  readonly readers: TextReaders;
  readonly milliseconds?: number;
  readonly signal: AbortSignal;
}

/**
 * Searches a directory or one file with the best available matcher. For one file, the path of hits is empty. Files are
 * read through the boundary; the matcher gets texts and opens nothing.
 */
export async function* searchPlace(location: Location, query: TextQuery, options: SearchOptions): HitStream {
  const { boundary, relative } = location;
  const { milliseconds = limits.searchMilliseconds, signal } = options;
  signal.throwIfAborted();
  const { kind } = await boundary.probe('read', relative);
  const texts =
    kind === 'file'
      ? textOfFile(boundary, relative, signal)
      : textsIn(await startAt(location), query, { ...options, milliseconds });
  return yield* searchTexts(texts, query, {
    start: await chooseMatcher(query, options),
    milliseconds,
    signal,
  });
}

/** Loaded lazily: few processes search, and none needs both. */
async function chooseMatcher(query: TextQuery, { ripgrep }: SearchOptions): Promise<StartMatcher> {
  const text = plainPattern(query);
  if (text !== undefined) return (options: MatcherOptions) => startPlain(text, options);
  if (ripgrep === undefined) {
    const { startScript } = await import('./script-matcher.ts');
    return (options: MatcherOptions) => startScript(query, options);
  }
  const { startRipgrep } = await import('./ripgrep-matcher.ts');
  return (options: MatcherOptions) => startRipgrep(ripgrep, query, options);
}

async function* textOfFile(
  boundary: Boundary,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<readonly FileText[], boolean> {
  const bytes = textIn(await boundary.readBytes(path, { limit: limits.searched, signal }));
  if (bytes === undefined) throw new RootwardError('NOT_TEXT', { verb: 'search', path });
  if (bytes.length > 0) yield [{ path: '', bytes }];
  return true;
}

async function* textsIn(
  { boundary, relative, below, under }: SearchStart,
  query: TextQuery,
  { readers, milliseconds, signal }: SearchOptions,
): AsyncGenerator<readonly FileText[], boolean> {
  const isWanted = query.globs.length > 0 ? fileFilter(query.globs) : undefined;
  const text = requiredText(query);
  const stopped = yield* named(
    boundary.readTexts(relative, {
      readers,
      limit: limits.searched,
      wanted: isWanted && ((path) => isWanted(below(path) ?? path)),
      ...(text !== undefined && { holding: Buffer.from(text) }),
      ignore: query.exclude.map((glob) => (/\/./.test(glob) ? under(glob) : glob)),
      gitignore: query.gitignore,
      ...(milliseconds !== undefined && { milliseconds }),
      signal,
    }),
    below,
  );
  return stopped === undefined;
}

/** Yields the same texts with paths relative to the start. */
async function* named<End>(
  texts: AsyncGenerator<readonly FileText[], End>,
  below: SearchStart['below'],
): AsyncGenerator<readonly FileText[], End> {
  let next = await texts.next();
  try {
    for (; next.done !== true; next = await texts.next())
      yield next.value.map(({ path, bytes }) => ({ path: below(path) ?? path, bytes }));
    return next.value;
  } finally {
    // Calling `return` on an ended generator is harmless.
    if (next.done !== true) await texts.return(undefined as End);
  }
}

/**
 * Returns a text that every match contains, so that files without it can be skipped; `undefined` if there is no obvious
 * one. It is the longest run of plain characters outside of groups and classes, in an expression without alternatives.
 */
export function requiredText({ pattern, literal, ignoreCase }: TextQuery): string | undefined {
  if (ignoreCase) return undefined;
  if (literal) return pattern;
  // Flags can change the meaning of characters, and an alternative makes the others optional.
  if (/\(\?|\|/.test(pattern)) return undefined;
  const runs = plainRuns(pattern).map((run) => run.join(''));
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one), '');
  return longest === '' ? undefined : longest;
}

/** A plain character with its quantifier; an escape of one character; or anything else. */
const pieces = /([\p{L}\p{N} _"'%,/:;<=>@`~!&#-])([*?{]?)|\\[dDwWsSbB.+*?^$/-]|./gsu;

function plainRuns(pattern: string): readonly (readonly string[])[] {
  const runs: string[][] = [[]];
  for (const [piece, plain, times] of pattern.matchAll(pieces)) {
    // The rest may belong to a group, a class, a quantifier or an escape.
    if (['(', '[', '{', '\\'].includes(times || piece)) break;
    if (plain !== undefined && times === '') runs.at(-1)?.push(plain);
    else runs.push([]);
  }
  return runs;
}
