import { z } from 'zod';

/**
 * Limits of what a tool accepts and returns. Larger input is refused. Results are limited to more than a model can use
 * and less than one message; longer ones are cut, and say how to continue.
 */
export const limits = {
  /** Number of values in the arguments of one call: texts, numbers, lists and their items. */
  values: 10_000,
  /** Characters of a path: twice the length of the deepest reachable tree. */
  path: 65_536,
  /** Paths of one call. */
  paths: 1_000,
  /** Characters of a glob, and globs in a list. */
  glob: 1_024,
  globs: 1_000,
  /** Characters of a search pattern. */
  pattern: 8_192,
  /** Characters of a written file: the most that a message can hold. */
  content: 10_485_760,
  /** Edits of one call. */
  edits: 1_000,
  /** Bytes of one message. SDK clients disconnect at 10 MiB, and a result has some overhead. */
  message: 9_437_184,
  /** Bytes of a text result in its message; most results contain it twice, as text and as data. */
  answer: 4_194_304,
  /** Bytes of text from one file, or from several together. */
  text: 1_048_576,
  /** Bytes of a file that is sent in base64, twice. */
  media: 3_145_728,
  /** Bytes of a file that is sent in base64 once, because twice would be too long. */
  mediaOnce: 6_291_456,
  /** Bytes of an edited file. */
  edit: 8_388_608,
  /** Entries of one directory. */
  listed: 20_000,
  /** Entries of a tree. */
  tree: 50_000,
  /** Paths returned by a search for names. */
  found: 10_000,
  /** Entries visited by a search for names. */
  walked: 1_000_000,
  /** Lines returned by a text search. */
  matches: 2_000,
  /** Matching lines counted per file. */
  counted: 100_000,
  /** Concurrent text searches, how many more may wait, and how long. */
  searches: 2,
  waitingSearches: 64,
  waitMilliseconds: 20_000,
  /** Characters of one line in search results. */
  line: 400,
  /** Bytes of a searched file. */
  searched: 10_485_760,
  /** Time limit for a look at all roots: projects, build commands, documentation. */
  lookMilliseconds: 20_000,
  /** Time limit of a search. */
  searchMilliseconds: 30_000,
} as const;

/** A path argument. */
export const pathText: z.ZodString = z.string().max(limits.path);

/** A list of globs; their total complexity is limited when they are compiled. */
export const globList: z.ZodArray<z.ZodString> = z.array(z.string().max(limits.glob)).max(limits.globs);
