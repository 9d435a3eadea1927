import type { Boundary } from '../../boundary/boundary.ts';
import { limits } from '../limits.ts';
import { ripgrepArgs } from './ripgrep-args.ts';
import { ripgrepHints } from './ripgrep-events.ts';
import { endOf, type RipgrepOptions } from './ripgrep-search.ts';
import type { FoundLine, TextQuery } from './text-query.ts';
import { toFound } from './verify-hint.ts';

/** Lets ripgrep look at bytes that were read through the boundary: it opens nothing itself. */
export async function ripgrepFile(
  boundary: Boundary,
  bytes: Uint8Array,
  query: TextQuery,
  options: RipgrepOptions,
): Promise<readonly FoundLine[]> {
  const { file, milliseconds = limits.searchMilliseconds, signal } = options;
  const args = [...ripgrepArgs({ ...query, globs: [], exclude: [] }), '-'];
  await using program = await boundary.startUnchecked('.', {
    file,
    args,
    input: bytes,
    milliseconds,
    signal,
  });
  const lines: FoundLine[] = [];
  for await (const hint of ripgrepHints(program.stdout)) lines.push(...hint.lines.map(toFound));
  signal.throwIfAborted();
  await endOf(program, query);
  return lines;
}
