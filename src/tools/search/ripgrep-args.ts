import { limits } from '../limits.ts';
import type { TextQuery } from './text-query.ts';

/**
 * The query as arguments of ripgrep. Its own engine takes time in proportion to the text, whatever the
 * pattern; the other one, which does not, is never asked for. No link is followed, and no configuration or
 * ignore file from outside of the directory is read.
 */
export function ripgrepArgs(query: TextQuery, prune: readonly string[] = []): readonly string[] {
  const { pattern, globs, exclude, gitignore, sorted = false } = query;
  return [
    ...always,
    ...(sorted ? ['--sort=path'] : []),
    `--max-filesize=${limits.searched}`,
    ...matching(query),
    ...nameFilter(globs),
    ...exclude.map((glob) => `--glob=!${glob}`),
    ...(gitignore ? [...ignoring, ...prune.map((glob) => `--glob=!${glob}`)] : ['--no-ignore']),
    `--regexp=${pattern}`,
    '--',
  ];
}

const always: readonly string[] = [
  '--json',
  '--no-config',
  '--no-follow',
  '--no-messages',
  '--engine=default',
  '--hidden',
];

function matching(query: TextQuery): readonly string[] {
  const { pattern, literal, ignoreCase, wholeWord, context, perFile } = query;
  return [
    // Only an end of line can be meant in two ways, and asking costs time.
    ...(pattern.includes('$') && !literal ? ['--crlf'] : []),
    ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(literal ? ['--fixed-strings'] : []),
    ...(wholeWord ? ['--word-regexp'] : []),
    `--context=${context}`,
    `--max-count=${perFile}`,
  ];
}

/**
 * Ripgrep takes a glob for more than it says: what matches is shown although a rule leaves it out. Kinds of
 * files are no such order. They go by the last name only, so results are compared with the globs again.
 */
function nameFilter(globs: readonly string[]): readonly string[] {
  const names = globs.map(lastName);
  if (names.length === 0 || names.includes('*')) return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted'];
}

function lastName(glob: string): string {
  if (/\{[^}]*\//.test(glob) || glob.includes(':')) return '*';
  const name = glob.replace(/\/$/, '').split('/').at(-1) ?? '*';
  return name.includes('**') ? '*' : name;
}

/** The files named `.gitignore` within the directory count, also where there is no repository; others do not. */
const ignoring: readonly string[] = [
  '--no-ignore-parent',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
  '--no-require-git',
  '--glob=!.git',
];
