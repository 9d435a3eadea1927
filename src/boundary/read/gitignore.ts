import { closeSync, constants, readSync } from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import type { BoundaryContext, Guard } from '../step/context.ts';
import { keptIdentity } from '../step/open-file.ts';
import type { Directory } from '../system/driver.ts';

/** The rules of one `.gitignore`, which apply below its directory. */
export interface IgnoreRules {
  /** Length of the directory's path, including its slash. */
  readonly base: number;
  readonly decide: DecideIgnored;
  /** The number of rules, and of those among them that take long to match. */
  readonly count: number;
  readonly costly: number;
}

/**
 * Whether the last rule that matches a path ignores it; `undefined` if none matches. The path starts at the directory of
 * the rules, and ends with a slash if it is a directory. Says nothing about the directories above it.
 */
type DecideIgnored = (path: string) => boolean | undefined;

type IgnoreContext = Pick<BoundaryContext, 'driver' | 'platform' | 'guard' | 'mount' | 'hardLinks' | 'kept'>;

const fileName = '.gitignore';

/**
 * Above the needs of real repositories: rules become regular expressions, and a repository may be hostile. `rules` is
 * for one file, and also for all files on the way to a directory; so are `costly` and `allCostly`. `sameName` is for rules
 * of one file that end with the same name.
 */
const limits = {
  rules: 10_000,
  bytes: 512 * 1024,
  sameName: 1_000,
  costly: 1_000,
  allCostly: 2_000,
  ruleLength: 256,
  doubleRules: 32,
} as const;

/**
 * Reads the rules of a directory, or returns `undefined` if there are none. `prefix` is its path from the
 * root, with a slash at the end. A file that may not be read, or is a link or special, counts as having no
 * rules: the omitted entries would reveal its content.
 */
export function readIgnoreRules(
  context: IgnoreContext,
  directory: Directory,
  prefix: string,
): IgnoreRules | undefined {
  const { platform, guard } = context;
  if (!mayRead(guard, prefix + fileName)) return undefined;
  const text = readSmallFile(context, directory, fileName);
  if (text === undefined) return undefined;
  const lines = rulesIn(text).filter(affordable()).slice(0, limits.rules);
  return {
    base: prefix.length,
    decide: compileRules(lines, platform === 'win32'),
    count: lines.length,
    costly: lines.filter(isCostly).length,
  };
}

/** Returns the lines that are rules. Several `**` in a row mean the same as one. */
function rulesIn(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines
    .filter((line) => !line.startsWith('#') && !/^!? *$/.test(line))
    .map((line) => line.replaceAll(/(?<=^!?\/?|\/)(?:\*\*\/)+(?=\*\*(?:\/|$))/g, ''));
}

/**
 * Matching time grows with the depth of a path to the power of the `**` in a rule: one is harmless, two are
 * rationed. One at the end costs nothing.
 */
function affordable(): (line: string) => boolean {
  let [doubleRules, costly] = [0, 0];
  return (line) => {
    const globstars = (line.replace(/\/\*\*\/?$/, '').match(/\*\*/g) ?? []).length;
    if (line.length > limits.ruleLength || globstars > 2) return false;
    if (globstars === 2) doubleRules += 1;
    if (isCostly(line)) costly += 1;
    return costly <= limits.costly && (globstars < 2 || doubleRules <= limits.doubleRules);
  };
}

/** Whether there is more in a rule than one star. */
function isCostly(line: string): boolean {
  return !/^[^*?[\\]*\*?[^*?[\\]*$/.test(line);
}

/** A rule that could match a name, by the last part of the rule. */
interface IgnoreRule {
  /** The position among the rules. */
  readonly index: number;
  readonly keeps: boolean;
  readonly matches: (path: string) => boolean;
  /** Text in every name that it can match; the whole name if there is no wildcard. */
  readonly literal: string;
}

/**
 * Compiles rules in Git's order: the last one that matches decides. A rule is tried only if its last part could match the
 * last name of the path. Otherwise it cannot match the path; the directories above were decided on before.
 */
export function compileRules(lines: readonly string[], ignoreCase: boolean): DecideIgnored {
  const key = ignoreCase ? (text: string) => text.toUpperCase() : (text: string) => text;
  const match = createMatch(ignoreCase);
  const byName = new Map<string, IgnoreRule[]>();
  const wild: IgnoreRule[] = [];
  for (const [index, line] of lines.entries()) {
    const last = lastPart(line);
    const literal = key(hasWildcard(last) ? longestLiteral(last) : last);
    const rule = { index, keeps: line.startsWith('!'), matches: match(line), literal };
    const same = hasWildcard(last) ? wild : (byName.get(literal) ?? []);
    if (same !== wild) byName.set(literal, same);
    if (same === wild || same.length < limits.sameName) same.push(rule);
  }
  const named = new Map([...byName].map(([name, rules]) => [name, rules.toReversed()]));
  const latest = wild.toReversed();
  return (path) => {
    const name = key(nameOf(path));
    const exact = named.get(name)?.find(({ matches }) => matches(path));
    const after = exact?.index ?? -1;
    for (const rule of latest) {
      if (rule.index < after) break;
      if (name.includes(rule.literal) && rule.matches(path)) return !rule.keeps;
    }
    return exact === undefined ? undefined : !exact.keeps;
  };
}

function nameOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

/** Number of answers that are remembered for the rules of one file. */
const remembered = 65_536;

/**
 * Creates tests whether a rule matches a path itself. The package also ignores everything below an ignored directory,
 * which is wrong if the rules of an inner file have taken that directory back. A negated rule ignores nothing, so of one
 * it tells the match alone. It remembers every path, and is replaced from time to time.
 */
function createMatch(ignoreCase: boolean): (line: string) => (path: string) => boolean {
  let matchers = new Map<string, Ignore>();
  let asked = 0;
  return (line) => {
    const rule = line.replace(/^!/, '');
    const isName = !/\/(?! *$)/.test(rule);
    return (path) => {
      asked += 1;
      if (asked % remembered === 0) matchers = new Map();
      const matcher = matchers.get(rule) ?? ignore({ ignoreCase }).add(`!${toBytes(rule)}`);
      matchers.set(rule, matcher);
      const end = path.endsWith('/') ? '/' : '';
      return matcher.test(toBytes(isName ? nameOf(path) + end : path)).unignored;
    };
  };
}

/** Git compares bytes: `?` is one of the two of `ä`. */
function toBytes(text: string): string {
  return /^[\0-\x7F]*$/.test(text) ? text : Buffer.from(text).toString('latin1');
}

/**
 * Adds the rules of a directory to those above it, unless there would be too many to check for every name.
 */
export function stackRules(
  above: readonly IgnoreRules[],
  own: IgnoreRules | undefined,
): readonly IgnoreRules[] {
  if (own === undefined) return above;
  const all = [...above, own];
  const sum = (of: 'count' | 'costly'): number => all.reduce((total, rules) => total + rules[of], 0);
  return sum('count') > limits.rules || sum('costly') > limits.allCostly ? above : all;
}

/** In Git's order, the innermost matching file decides. Assumes that no directory above is ignored. */
export function isIgnored(stack: readonly IgnoreRules[], path: string, isDirectory: boolean): boolean {
  for (const { base, decide } of stack.toReversed()) {
    const isLeftOut = decide(path.slice(base) + (isDirectory ? '/' : ''));
    if (isLeftOut !== undefined) return isLeftOut;
  }
  return false;
}

function readSmallFile(
  { driver, mount, hardLinks, kept }: IgnoreContext,
  directory: Directory,
  name: string,
): string | undefined {
  try {
    const pinned = driver.pin(directory, name);
    try {
      if (!pinned.stats.isFile() || (hardLinks === 'refuse' && pinned.stats.nlink > 1)) return undefined;
      if (kept?.files.has(keptIdentity(pinned.stats)) === true) return undefined;
      if (mount !== undefined && driver.mountOf(pinned) !== mount) return undefined;
      return readStart(driver.reopen(pinned, constants.O_RDONLY), pinned.stats.size);
    } finally {
      driver.close(pinned);
    }
  } catch {
    // Unreadable rules ignore nothing; the walk itself reports unreadable directories.
    return undefined;
  }
}

/** Reads a file up to its size when it was opened. If that is too much, the last line may be cut, and is left out. */
function readStart(fd: number, size: number): string {
  try {
    const buffer = Buffer.alloc(Math.min(limits.bytes, size));
    const text = buffer.toString('utf8', 0, readSync(fd, buffer));
    return size > limits.bytes ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  } finally {
    closeSync(fd);
  }
}

/**
 * The part of a rule that the last name must match: `b*.c` of `!/a/b*.c/`.
 */
function lastPart(line: string): string {
  const rule = line.replace(/ +$/, '').replace(/^!/, '').replace(/\/$/, '');
  return rule.slice(rule.lastIndexOf('/') + 1);
}

function hasWildcard(part: string): boolean {
  return /[*?[\]\\]/.test(part);
}

/**
 * The longest text that every match contains; empty where escapes or unusual brackets make that uncertain.
 */
function longestLiteral(part: string): string {
  const open = part.replaceAll(/\[[A-Za-z0-9.-]+\]/g, '*');
  if (/[[\]\\]/.test(open)) return '';
  return open
    .split(/[*?]/)
    .reduce((longest, literal) => (literal.length > longest.length ? literal : longest), '');
}

/**
 * Whether the guard permits reading a file, checked for every name on the way. For callers that already hold
 * its directory. The path consists of real names.
 */
export function mayRead(guard: Guard | undefined, relative: string): boolean {
  if (guard === undefined) return true;
  return mayPass(guard, relative) && guard('read', relative, true) === undefined;
}

/** Whether the guard permits passing through the directories above a file. */
export function mayPass(guard: Guard | undefined, relative: string): boolean {
  for (let end = relative.indexOf('/'); end !== -1; end = relative.indexOf('/', end + 1)) {
    if (guard?.('read', relative.slice(0, end), false) !== undefined) return false;
  }
  return true;
}
