import type { TextQuery } from './text-query.ts';

/**
 * The query as arguments of ripgrep, which looks at its standard input alone: it is given no path, and no ignore file
 * or configuration is read. Its own engine takes time in proportion to the text, whatever the pattern; the other one,
 * which does not, is never asked for.
 *
 * It prints one short row for each line that matches: where the first match begins. To the pattern belongs the rest of
 * the line, so that a line has one match, however long it is and however often the pattern occurs in it.
 */
export function ripgrepArgs(query: TextQuery): readonly string[] {
  return [...always, ...meaning(query), `--regexp=(?:${expression(query)})(?-u:[^\\n])*`, '--', '-'];
}

const always: readonly string[] = [
  '--no-config',
  '--no-ignore',
  '--no-messages',
  '--engine=default',
  '--text',
  '--encoding=none',
  '--regex-size-limit=8M',
  '--dfa-size-limit=8M',
  '--no-filename',
  '--no-line-number',
  '--color=never',
  '--byte-offset',
  '--only-matching',
  '--replace=',
];

function meaning({ pattern, literal, ignoreCase }: TextQuery): readonly string[] {
  return [
    // Only an end of line can be meant in two ways, and asking costs time.
    ...(pattern.includes('$') && !literal ? ['--crlf'] : []),
    ignoreCase ? '--ignore-case' : '--case-sensitive',
  ];
}

function expression({ pattern, literal, wholeWord }: TextQuery): string {
  const plain = literal ? pattern.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&') : pattern;
  return wholeWord ? `\\b{start-half}(?:${plain})\\b{end-half}` : plain;
}

/**
 * Why a pattern cannot be a part of a larger one. Ripgrep itself puts a pattern in a group without a look, so that it
 * takes `a)|(b` for two; then a line could have more than one match again.
 */
export function findFault({ pattern, literal }: TextQuery): string | undefined {
  if (literal) return undefined;
  if (/\(\?[a-zA-Z-]*x/.test(pattern)) return 'the flag x, for comments and spaces, is not supported';
  let groups = 0;
  let classes = 0;
  for (const [piece] of pattern.matchAll(pieces)) {
    if (piece === ']') classes = Math.max(0, classes - 1);
    else if (/^\[(?!:.)/.test(piece)) classes += 1;
    else if (classes === 0) groups += { '(': 1, ')': -1 }[piece] ?? 0;
    if (groups < 0) return 'unopened group';
  }
  return undefined;
}

/** Escapes; named classes; where a class begins, with a bracket that stands for itself; and what else opens or closes. */
const pieces = /\\.|\[:\^?[a-z]+:\]|\[\^?(?:-+|\])?|[\]()]/gs;
