import type { TextQuery } from './text-query.ts';

/**
 * Converts a query to arguments of ripgrep, which searches only its standard input: it gets no path, and reads no
 * ignore file or configuration. Its default engine takes linear time for any pattern; the other engine is never
 * used.
 *
 * It prints one short row per matching line with the offset of the first match. The expression includes the rest of
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
    ...(!literal && hasLineEnd(pattern) ? ['--crlf'] : []),
    ignoreCase ? '--ignore-case' : '--case-sensitive',
  ];
}

/**
 * Whether a carriage return belongs to the line end, because the pattern has a line end and does not name it. Otherwise
 * the option would cost time, or refuse the pattern.
 */
export function hasLineEnd(pattern: string): boolean {
  return pattern.includes('$') && !/\\r|\\x0[dD]|\r/.test(pattern);
}

function expression({ pattern, literal, wholeWord }: TextQuery): string {
  const plain = literal ? pattern.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&') : pattern;
  return wholeWord ? `\\b{start-half}(?:${plain})\\b{end-half}` : plain;
}

/**
 * Returns why a pattern cannot be embedded in a larger one. Ripgrep puts a pattern into a group unchecked, so that
 * `a)|(b` would become two; then a line could have several matches again.
 */
export function findFault({ pattern, literal }: TextQuery): string | undefined {
  if (literal) return undefined;
  if (/\(\?[a-zA-Z-]*x/.test(pattern)) return 'the flag x, for comments and spaces, is not supported';
  if (/\(\?[a-zA-Z]*-[a-zA-Z]*m/.test(pattern))
    return 'the flag m cannot be off, because each line is searched alone';
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

/** Escapes; named classes; the beginning of a class, with a literal bracket; and other brackets. */
const pieces = /\\.|\[:\^?[a-z]+:\]|\[\^?(?:-+|\])?|[\]()]/gs;
