import { compileGlobs } from '../../path/glob.ts';
import { hostPlatform } from '../../path/platform.ts';

/** The parameters of a text search. */
export interface TextQuery {
  readonly pattern: string;
  /** Whether the pattern is plain text. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  /** Number of context lines around each match. */
  readonly context: number;
  /** Only files that match one of these; all if empty. */
  readonly globs: readonly string[];
  readonly exclude: readonly string[];
  readonly gitignore: boolean;
  /** Maximum number of matching lines to count per file. */
  readonly perFile: number;
  /** Maximum number of matching lines of all files, shown or skipped. Without it no lines are shown. */
  readonly lines?: number;
}

/** One line of a result. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  /** For a very long line, the part around the match. */
  readonly text: string;
  /** Where the match begins in the text; absent for a context line. */
  readonly at?: number;
}

/** The matches in one file. */
export interface FileHits {
  /** Relative to the start of the search, with `/` as separator. */
  readonly path: string;
  /** Number of matching lines. */
  readonly matches: number;
  /** Returns `most` matches after the first `skip`, with context lines; computed lazily. */
  readonly lines: (skip: number, most: number) => Iterable<FoundLine>;
}

/** A running search. A caller that stops early must call `return`, as a loop does. */
export type HitStream = AsyncGenerator<FileHits, SearchEnd>;

/** How a search ended. */
export interface SearchEnd {
  /** Whether everything was searched. */
  readonly complete: boolean;
}

/** Returns a filter for paths relative to the start. */
export function fileFilter(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => true;
  const wanted = compileGlobs(globs, { platform: hostPlatform });
  return (path) => wanted.match(path) !== undefined;
}
