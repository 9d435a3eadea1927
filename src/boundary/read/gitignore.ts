import { closeSync, constants, readSync } from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import type { BoundaryContext, Guard } from '../step/context.ts';
import { keptIdentity } from '../step/open-file.ts';
import type { Directory } from '../system/driver.ts';

/** The rules of one `.gitignore`, which apply below its directory. */
export interface IgnoreRules {
  /** Length of the directory's path, including its slash. */
  readonly base: number;
  readonly rules: Ignore;
  /** Whether the rules could match this name. Checked first, because it is very cheap. */
  readonly concern: (name: string) => boolean;
  /** The number of rules. */
  readonly count: number;
}

type IgnoreContext = Pick<BoundaryContext, 'driver' | 'platform' | 'guard' | 'mount' | 'hardLinks' | 'kept'>;

const fileName = '.gitignore';

/**
 * Above the needs of real repositories: rules become regular expressions, and a repository may be hostile.
 */
const limits = { bytes: 64 * 1024, rules: 1_000, ruleLength: 256, doubleRules: 32, stacked: 2_000 } as const;

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
  const lines = text.split(/\r?\n/).filter(affordable()).slice(0, limits.rules);
  const ignorecase = platform === 'win32';
  return {
    base: prefix.length,
    rules: ignore({ ignorecase }).add(lines),
    concern: createIgnoreHint(lines, ignorecase),
    count: lines.length,
  };
}

/**
 * Matching time grows with the depth of a path to the power of the `**` in a rule: one is harmless, two are
 * rationed.
 */
function affordable(): (line: string) => boolean {
  let doubleRules = 0;
  return (line) => {
    const globstars = (line.match(/\*\*/g) ?? []).length;
    if (line.length > limits.ruleLength || globstars > 2) return false;
    if (globstars === 2) doubleRules += 1;
    return globstars < 2 || doubleRules <= limits.doubleRules;
  };
}

/**
 * Adds the rules of a directory to those above it, unless there would be too many to check for every name.
 */
export function stackRules(
  above: readonly IgnoreRules[],
  own: IgnoreRules | undefined,
): readonly IgnoreRules[] {
  if (own === undefined) return above;
  const sum = above.reduce((count, rules) => count + rules.count, own.count);
  return sum > limits.stacked ? above : [...above, own];
}

/** In Git's order, the innermost matching file decides. Assumes that no directory above is ignored. */
export function isIgnored(stack: readonly IgnoreRules[], path: string, isDirectory: boolean): boolean {
  if (stack.length === 0) return false;
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (const { base, rules, concern } of stack.toReversed()) {
    if (!concern(name)) continue;
    const { ignored, unignored } = rules.test(path.slice(base) + (isDirectory ? '/' : ''));
    if (ignored || unignored) return ignored;
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
      return readStart(driver.reopen(pinned, constants.O_RDONLY));
    } finally {
      driver.close(pinned);
    }
  } catch {
    // Unreadable rules ignore nothing; the walk itself reports unreadable directories.
    return undefined;
  }
}

function readStart(fd: number): string {
  try {
    const buffer = Buffer.alloc(limits.bytes);
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  } finally {
    closeSync(fd);
  }
}

/**
 * Creates a test whether a rule could match an entry of this name, by the last part of each rule. It may say
 * yes too often, but never no wrongly: a rule that does not match the last name of a path cannot match the
 * path itself, and the directories above were checked before.
 */
export function createIgnoreHint(lines: readonly string[], ignoreCase: boolean): (name: string) => boolean {
  const key = ignoreCase ? (text: string) => text.toUpperCase() : (text: string) => text;
  const endings = lines.map(lastPart).filter((part) => part !== '');
  const names = new Set(endings.filter((part) => !hasWildcard(part)).map(key));
  const fragments = [...new Set(endings.filter(hasWildcard).map(longestLiteral).map(key))];
  return (name) => {
    const text = key(name);
    return names.has(text) || fragments.some((fragment) => text.includes(fragment));
  };
}

/**
 * The part of a rule that the last name must match: `b*.c` of `!/a/b*.c/`. Empty for an empty line or a
 * comment.
 */
function lastPart(line: string): string {
  if (line.startsWith('#')) return '';
  const rule = line
    .trimEnd()
    .replace(/^\uFEFF/, '')
    .replace(/^!/, '')
    .replace(/\/$/, '');
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
