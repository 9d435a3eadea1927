import { braceExpand, Minimatch } from 'minimatch';
import { RootwardError } from '../errors.ts';
import { nameKey, type NameRules } from './fold.ts';

/** A compiled list of globs. */
export interface GlobSet {
  /** Returns the first matching pattern, as written, for a `/`-separated path relative to the root. */
  match(path: string): string | undefined;
}

/**
 * Compiles globs that match untrusted names: patterns are capped, and matching is linear in the path.
 *
 * - `*.pem`, without a slash, matches that name at any depth; `/.env` and `a/*.key` start at the root.
 * - `docs/**` matches `docs` itself and everything beneath it. Names that begin with a dot are not special.
 * - `{a,b}` and `[a-z]` work. `!`, extended globs and `..` are refused, and so are patterns that would match
 *   nothing by mistake: an unclosed bracket, a Windows separator.
 *
 * @throws {RootwardError} `INVALID_GLOB`
 *
 * @example
 * ```ts
 * compileGlobs(['*.pem', '.git/hooks/**']).match('keys/server.pem') // → '*.pem'
 * compileGlobs(['*.pem', '.git/hooks/**']).match('.git/hooks') // → '.git/hooks/**'
 * compileGlobs(['*.pem', '.git/hooks/**']).match('src/main.ts') // → undefined
 * ```
 */
export function compileGlobs(patterns: readonly string[], rules: NameRules = { platform: 'posix' }): GlobSet {
  if (patterns.length > limits.patterns) {
    throw invalid(patterns[limits.patterns] ?? '', `there are more than ${limits.patterns} patterns`);
  }
  const key = nameKey(rules);
  const size = { alternatives: 0, characters: 0 };
  const globs = patterns.map((pattern) => {
    const matches = compile(pattern, rules);
    const more = expand(pattern);
    size.alternatives += more.length;
    size.characters += more.reduce((sum, { length }) => sum + length, 0);
    if (size.alternatives > limits.allAlternatives || size.characters > limits.allCharacters)
      throw invalid(pattern, 'together with the patterns before it, it expands to too many');
    return { pattern, matches };
  });
  return {
    match(path) {
      const text = key(path);
      const name = text.slice(text.lastIndexOf('/') + 1);
      return globs.find(({ matches }) => matches(text, name))?.pattern;
    },
  };
}

/**
 * Far above what people write, far below what is slow: every path is compared with every alternative of every
 * pattern.
 */
const limits = {
  patterns: 2_000,
  length: 1_024,
  globstars: 16,
  alternatives: 256,
  /** Of all patterns together, after brace expansion. */
  allAlternatives: 4_096,
  allCharacters: 262_144,
} as const;

type PathMatch = (path: string, name: string) => boolean;

function compile(pattern: string, rules: NameRules): PathMatch {
  const fault = patternFault(pattern);
  if (fault !== undefined) throw invalid(pattern, fault);
  const key = nameKey(rules);
  const anchored = pattern.startsWith('/');
  const text = key(pattern.replace(/^\//, '').replace(/\/$/, ''));
  return text.includes('/') || anchored ? compilePath(text) : compileName(text);
}

function invalid(pattern: string, reason: string): RootwardError<'INVALID_GLOB'> {
  return new RootwardError('INVALID_GLOB', { pattern, reason });
}

/**
 * Matches the common forms (a name, a prefix, a suffix) without minimatch: rules are checked on every step
 * into a directory.
 */
function compileName(text: string): PathMatch {
  const [, before, literal = '', after] = /^(\*?)([^*?[\]{}()\\]+)(\*?)$/.exec(text) ?? [];
  if (before === undefined) return matchName(minimatch(text));
  if (before === '' && after === '') return (_path, name) => name === literal;
  if (after === '') return (_path, name) => name.endsWith(literal);
  if (before === '') return (_path, name) => name.startsWith(literal);
  return (_path, name) => name.includes(literal);
}

function matchName(matches: (text: string) => boolean): PathMatch {
  return (_path, name) => matches(name);
}

function compilePath(text: string): PathMatch {
  const glob = minimatch(text);
  const directory = text.endsWith('/**') ? minimatch(text.slice(0, -'/**'.length)) : undefined;
  return (path) => glob(path) || directory?.(path) === true;
}

/** Compiles on first use: most rules are never reached. */
function minimatch(text: string): (path: string) => boolean {
  let glob: Minimatch | undefined;
  return (path) => {
    glob ??= new Minimatch(text, {
      dot: true,
      nonegate: true,
      nocomment: true,
      noext: true,
      platform: 'linux',
    });
    return glob.match(path);
  };
}

function patternFault(pattern: string): string | undefined {
  if (pattern === '' || pattern === '/') return 'it is empty';
  if (pattern.length > limits.length) return `it is longer than ${limits.length} characters`;
  if (!pattern.isWellFormed() || pattern.includes('\0')) return 'it contains NUL or a lone surrogate';
  if (pattern.startsWith('!')) return 'it begins with "!", and there is no negation here';
  if (/[!?*+@]\(/.test(pattern)) return 'it is an extended glob; write alternatives as {a,b}';
  if (pattern.replaceAll(/\\[*?[\]{}\\]/g, '').includes('\\'))
    return 'it contains a backslash; write "/" between names';
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(pattern)) return 'it contains "." or ".."';
  if (!isBalanced(pattern)) return 'a bracket or brace in it is not closed';
  if ((pattern.match(/\*\*/g) ?? []).length > limits.globstars)
    return `it has more than ${limits.globstars} "**"`;
  return hasTooManyAlternatives(pattern)
    ? `its braces expand to more than ${limits.alternatives} patterns`
    : undefined;
}

function isBalanced(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./g, '').replaceAll(/\[!?\]?[^\]]*\]/g, '');
  let depth = 0;
  for (const character of plain) {
    if (character === '[') return false;
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Minimatch silently drops alternatives above its cap, which would make a deny rule smaller. */
function hasTooManyAlternatives(pattern: string): boolean {
  return expand(pattern).length > limits.alternatives;
}

/** Counts the patterns that a valid pattern expands to. */
export function countAlternatives(pattern: string): number {
  return expand(pattern).length;
}

function expand(pattern: string): readonly string[] {
  if (!pattern.includes('{')) return [pattern];
  return braceExpand(pattern, { braceExpandMax: limits.alternatives + 1 });
}
