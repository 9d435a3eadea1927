import { basename } from 'node:path';
import type { Program } from '../../boundary/program.ts';
import { isTemporaryName } from '../../boundary/temporary-name.ts';
import { RootwardError } from '../../errors.ts';
import { limits } from '../limits.ts';
import type { Start } from '../start-at.ts';
import { fileFilter } from './file-filter.ts';
import { pruneGlobs } from './prune-globs.ts';
import { ripgrepArgs } from './ripgrep-args.ts';
import { ripgrepHints } from './ripgrep-events.ts';
import type { Hits, SearchEnd, TextQuery } from './text-query.ts';
import { verifyHint } from './verify-hint.ts';

export interface RipgrepOptions {
  /** Absolute path of ripgrep. */
  readonly file: string;
  readonly milliseconds?: number;
  readonly signal: AbortSignal;
}

/** Lets ripgrep look, in the directory that is held, and reads what it found through the boundary. */
export async function* ripgrepSearch(start: Start, query: TextQuery, options: RipgrepOptions): Hits {
  const { boundary, relative } = start;
  const { file, milliseconds = limits.searchMilliseconds, signal } = options;
  const isIgnored = query.gitignore ? await boundary.ignoredAbove(relative) : () => false;
  const isWanted = fileFilter(query.globs);
  const prune = query.gitignore ? await pruneGlobs(boundary, relative) : [];
  const args = [...ripgrepArgs(query, prune), '.'];
  await using program = await boundary.startUnchecked(relative, { file, args, milliseconds, signal });
  for await (const hint of ripgrepHints(program.stdout)) {
    const path = relative === '.' ? hint.path : `${relative}/${hint.path}`;
    if (!isWanted(hint.path) || isTemporaryName(basename(hint.path)) || isIgnored(path, false)) continue;
    const lines = await verifyHint(boundary, path, hint);
    if (lines !== undefined) yield { path: hint.path, lines };
  }
  signal.throwIfAborted();
  return await endOf(program, query);
}

/** Files that it cannot read it passes over in silence: what it does say is about the pattern. */
export async function endOf(program: Program, { pattern }: TextQuery): Promise<SearchEnd> {
  const { code, stopped, stderr } = await program.ended;
  if (code === 2 && stderr.trim() !== '') {
    throw new RootwardError('INVALID_PATTERN', { pattern, reason: reasonIn(stderr) });
  }
  return { complete: stopped === undefined };
}

/** The last of several lines says what is wrong; those before it point at the place. */
function reasonIn(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line.replace(/^(?:rg: |error: |regex parse error:)*/, '').trim() || 'ripgrep does not accept it';
}
