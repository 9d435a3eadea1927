import type { TextQuery } from '../../../src/tools/search/text-query.ts';

/** A search for nothing in particular, with these differences. */
export function sampleQuery(wish: Partial<TextQuery> = {}): TextQuery {
  return {
    pattern: '',
    literal: false,
    ignoreCase: false,
    wholeWord: false,
    context: 0,
    globs: [],
    exclude: [],
    gitignore: true,
    perFile: 1,
    ...wish,
  };
}
