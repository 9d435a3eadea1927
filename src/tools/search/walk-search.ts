import { isBinaryFileSync } from 'isbinaryfile';
import { setImmediate } from 'node:timers/promises';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import { limits } from '../limits.ts';
import type { Start } from '../start-at.ts';
import { fileFilter } from './file-filter.ts';
import { createMatchLines, type MatchLines } from './match-lines.ts';
import type { FoundLine, Hits, TextQuery } from './text-query.ts';

export interface WalkSearchOptions {
  readonly milliseconds?: number;
  readonly signal: AbortSignal;
}

/** Looks into every file itself: where there is no ripgrep. Slower, and with the expressions of JavaScript. */
export async function* walkSearch(start: Start, query: TextQuery, options: WalkSearchOptions): Hits {
  const { milliseconds = limits.searchMilliseconds, signal } = options;
  const { gitignore, globs, exclude } = query;
  const match = createMatchLines(query);
  const isWanted = fileFilter(globs);
  const ignore = exclude.map((glob) => (/\/./.test(glob) ? start.under(glob) : glob));
  const deadline = performance.now() + milliseconds;
  const walk = start.boundary.walk(start.relative, { ignore, gitignore, milliseconds, signal });
  for await (const { path, kind } of walk) {
    const below = start.below(path);
    if (kind !== 'file' || below === undefined || !isWanted(below)) continue;
    await setImmediate();
    signal.throwIfAborted();
    if (performance.now() > deadline) return { complete: false };
    const lines = await searchFile(start.boundary, path, match);
    if (lines !== undefined) yield { path: below, lines };
  }
  return { complete: walk.stopped === undefined };
}

/** `undefined` for a file without a match, and for one that is not text, too large, gone or denied. */
async function searchFile(
  boundary: Boundary,
  path: string,
  match: MatchLines,
): Promise<readonly FoundLine[] | undefined> {
  const bytes = await readQuietly(boundary, path);
  if (bytes === undefined || isBinaryFileSync(bytes, bytes.length)) return undefined;
  const lines = match(bytes.toString('utf8'));
  return lines.length === 0 ? undefined : lines;
}

async function readQuietly(boundary: Boundary, path: string): Promise<Buffer | undefined> {
  try {
    return await boundary.readBytes(path, { limit: limits.searched });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return undefined;
  }
}
