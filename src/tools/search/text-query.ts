import { compileGlobs } from '../../path/glob.ts';
import { hostPlatform } from '../../path/platform.ts';

/** What a search for text looks for, and where. */
export interface TextQuery {
  readonly pattern: string;
  /** The pattern is text, not a regular expression. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  /** Lines around each match. */
  readonly context: number;
  /** Only files that match one of these; all if there are none. */
  readonly globs: readonly string[];
  readonly exclude: readonly string[];
  readonly gitignore: boolean;
  /** Matching lines of one file that are counted, at most. */
  readonly perFile: number;
  /** Matching lines of all files that are shown or left out: no more are looked for. Without it no line is shown. */
  readonly lines?: number;
}

/** One line of a result. */
export interface FoundLine {
  /** From 1 on. */
  readonly line: number;
  /** Of a very long line the part around the match. */
  readonly text: string;
  /** Where in the text the match begins; absent for a line around one. */
  readonly at?: number;
}

/** What was found in one file. */
export interface FileHits {
  /** From the start of the search on, with `/` between names. */
  readonly path: string;
  /** Lines that match. */
  readonly matches: number;
  /** So many matches after the first few, with the lines around them; made when they are taken. */
  readonly lines: (skip: number, most: number) => Iterable<FoundLine>;
}

/** A search under way. A caller that stops early calls `return`, as a loop does. */
export type HitStream = AsyncGenerator<FileHits, SearchEnd>;

/** How a search ended. */
export interface SearchEnd {
  /** Whether everything was looked at. */
  readonly complete: boolean;
}

/** Whether a file is wanted, by its path from the start on. */
export function fileFilter(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => true;
  const wanted = compileGlobs(globs, { platform: hostPlatform });
  return (path) => wanted.match(path) !== undefined;
}
