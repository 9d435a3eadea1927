import { z } from 'zod';

/**
 * How much a tool takes and answers at once. What is asked beyond it is refused. What it answers is more than a model
 * can use and little enough for one message; what is longer is cut, and the answer says how to go on.
 */
export const limits = {
  /** Values in the arguments of one call: texts, numbers, lists and what is in them. */
  values: 10_000,
  /** Characters of a path: twice what the deepest tree needs that can be reached. */
  path: 65_536,
  /** Paths of one call. */
  paths: 1_000,
  /** Characters of a glob, and globs in a list. */
  glob: 1_024,
  globs: 1_000,
  /** Characters of a pattern to search for. */
  pattern: 8_192,
  /** Characters of a file that is written: what the longest message holds. */
  content: 10_485_760,
  /** Edits of one call. */
  edits: 1_000,
  /** Bytes of one message. Clients of the SDKs hang up at 10 MiB, and around a result there is a little more. */
  message: 9_437_184,
  /** Bytes of what a tool answers as text, in its message: most answer the same as data, so it counts twice. */
  answer: 4_194_304,
  /** Bytes of text from one file, and of several together. */
  text: 1_048_576,
  /** Bytes of a file that is sent encoded: a third more, and twice. */
  media: 3_145_728,
  /** Bytes of a file that is sent encoded once, because twice would be too long. */
  mediaOnce: 6_291_456,
  /** Bytes of a file that is edited. */
  edit: 8_388_608,
  /** Entries of one directory. */
  listed: 20_000,
  /** Entries of a tree. */
  tree: 50_000,
  /** Paths that a search for names gives back. */
  found: 10_000,
  /** Entries that a search for names looks at. */
  walked: 1_000_000,
  /** Lines that a search for text gives back, at most. */
  matches: 2_000,
  /** Matching lines of one file that are counted. */
  counted: 100_000,
  /** Searches for text at the same time, and how many more may wait for their turn, and how long. */
  searches: 2,
  waitingSearches: 64,
  waitMilliseconds: 20_000,
  /** Characters of one line in the results of a search. */
  line: 400,
  /** Bytes of a file that is searched. */
  searched: 10_485_760,
  /** How long a look at all roots may take: projects, build commands, documentation. */
  lookMilliseconds: 20_000,
  /** How long a search may take. */
  searchMilliseconds: 30_000,
} as const;

/** A path as a caller writes it. */
export const pathText: z.ZodString = z.string().max(limits.path);

/** A list of globs; what all of them stand for together is bounded where they are compiled. */
export const globList: z.ZodArray<z.ZodString> = z.array(z.string().max(limits.glob)).max(limits.globs);
