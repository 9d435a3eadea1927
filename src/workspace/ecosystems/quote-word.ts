import { escapeText } from '../../base/quote.ts';

/** A name from a file as one word of a command line: whoever runs the line runs that and nothing else. */
export function quoteWord(name: string): string {
  if (/^[\w@%+=:,./-]+$/.test(name) && !name.startsWith('-')) return name;
  return `'${escapeText(name).replaceAll("'", `'\\''`)}'`;
}
