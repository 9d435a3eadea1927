import { isBinaryFileSync } from 'isbinaryfile';
import { RootwardError } from '../../errors.ts';
import type { Location } from '../../workspace/workspace.ts';
import { limits } from '../limits.ts';
import { startAt } from '../start-at.ts';
import { createMatchLines } from './match-lines.ts';
import { ripgrepFile } from './ripgrep-file.ts';
import { ripgrepSearch } from './ripgrep-search.ts';
import type { Hits, TextQuery } from './text-query.ts';
import { walkSearch } from './walk-search.ts';

export interface SearchOptions {
  /** Absolute path of ripgrep; without it we look ourselves. */
  readonly ripgrep: string | undefined;
  readonly milliseconds?: number;
  readonly signal: AbortSignal;
}

/** Searches a directory or one file, with the best that there is. Of one file the path is empty. */
export async function* searchPlace(location: Location, query: TextQuery, options: SearchOptions): Hits {
  const { boundary, relative } = location;
  const { kind } = await boundary.probe('read', relative);
  if (kind === 'file') {
    const lines = await searchFile(location, query, options);
    if (lines.length > 0) yield { path: '', lines };
    return { complete: true };
  }
  const start = await startAt(location);
  const { ripgrep: file } = options;
  return yield* file === undefined
    ? walkSearch(start, query, options)
    : ripgrepSearch(start, query, { ...options, file });
}

async function searchFile(
  { boundary, relative }: Location,
  query: TextQuery,
  { ripgrep: file, ...options }: SearchOptions,
): Promise<ReturnType<ReturnType<typeof createMatchLines>>> {
  const bytes = await boundary.readBytes(relative, { limit: limits.searched, signal: options.signal });
  if (isBinaryFileSync(bytes, bytes.length)) {
    throw new RootwardError('NOT_TEXT', { verb: 'search', path: relative });
  }
  // Where the root is one file there is no directory that a program could start in.
  return file === undefined || boundary.kind === 'file'
    ? createMatchLines(query)(bytes.toString('utf8'))
    : ripgrepFile(boundary, bytes, query, { ...options, file });
}
