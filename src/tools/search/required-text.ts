import type { TextQuery } from './text-query.ts';

/**
 * Text that every match contains, so that a file without it need not be looked at; `undefined` if that cannot be told
 * at a glance. It is the longest run of plain characters outside of groups and classes, in an expression without
 * alternatives.
 */
export function requiredText({ pattern, literal, ignoreCase }: TextQuery): string | undefined {
  if (ignoreCase) return undefined;
  if (literal) return pattern;
  // Flags could change what a character means, and an alternative makes all others optional.
  if (/\(\?|\|/.test(pattern)) return undefined;
  const runs = plainRuns(pattern).map((run) => run.join(''));
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one), '');
  return longest === '' ? undefined : longest;
}

/** A plain character, with what says how often it occurs; an escape that stands for one character; or anything else. */
const pieces = /([\p{L}\p{N} _"'%,/:;<=>@`~!&#-])([*?{]?)|\\[dDwWsSbB.+*?^$/-]|./gsu;

function plainRuns(pattern: string): readonly (readonly string[])[] {
  const runs: string[][] = [[]];
  for (const [piece, plain, times] of pattern.matchAll(pieces)) {
    // What follows belongs to a group, a class, a number of times or an escape.
    if (['(', '[', '{', '\\'].includes(times || piece)) break;
    if (plain !== undefined && times === '') runs.at(-1)?.push(plain);
    else runs.push([]);
  }
  return runs;
}
