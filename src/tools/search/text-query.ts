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
  /** Matching lines of one file, at most. */
  readonly perFile: number;
  /** File by file in the order of their paths: always the same, and slower. */
  readonly sorted?: boolean;
}

/** One line of a result. */
export interface FoundLine {
  /** From 1 on. */
  readonly line: number;
  readonly text: string;
  /** Where in the line the match begins; absent for a line around one. */
  readonly at?: number;
}

/** What was found in one file. */
export interface FileHits {
  /** From the start of the search on, with `/` between names. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** A search under way. Whoever stops early calls `return`, as a loop does. */
export type Hits = AsyncGenerator<FileHits, SearchEnd>;

/** How a search ended. */
export interface SearchEnd {
  /** Whether everything was looked at. */
  readonly complete: boolean;
}
