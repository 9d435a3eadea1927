import { closeSync, constants, readSync } from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import type { BoundaryContext } from '../step/context.ts';
import type { Directory } from '../system/driver.ts';
import { createIgnoreHint } from './ignore-hint.ts';
import { keptIdentity } from '../step/kept-places.ts';
import { mayRead } from './may-read.ts';

/** The rules of one `.gitignore`, valid below its directory. */
export interface IgnoreRules {
  /** Length of the path of that directory, with its slash. */
  readonly base: number;
  readonly rules: Ignore;
  /** Whether they could concern this name at all: asked first, because it costs next to nothing. */
  readonly concern: (name: string) => boolean;
  /** How many there are. */
  readonly count: number;
}

type IgnoreContext = Pick<BoundaryContext, 'driver' | 'platform' | 'guard' | 'mount' | 'hardLinks' | 'kept'>;

const fileName = '.gitignore';

/** Rules are turned into regular expressions, and a repository may be hostile: enough for any real one. */
const limits = { bytes: 64 * 1024, rules: 1_000, ruleLength: 256, doubleRules: 32, stacked: 2_000 } as const;

/**
 * Reads the rules of a directory; `undefined` if it has none that can be used. The prefix is its path from the root,
 * with a slash at the end. A file that may not be read, or is a link or special, has no rules: what it says would
 * show in what is left out.
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

/** Time grows with the depth of a path to the power of a rule's `**`: one is harmless, two are rationed. */
function affordable(): (line: string) => boolean {
  let doubleRules = 0;
  return (line) => {
    const globstars = (line.match(/\*\*/g) ?? []).length;
    if (line.length > limits.ruleLength || globstars > 2) return false;
    if (globstars === 2) doubleRules += 1;
    return globstars < 2 || doubleRules <= limits.doubleRules;
  };
}

/** The rules of a directory on top of those above it, as long as all of them can be asked about every name. */
export function stackRules(
  above: readonly IgnoreRules[],
  own: IgnoreRules | undefined,
): readonly IgnoreRules[] {
  if (own === undefined) return above;
  const sum = above.reduce((count, rules) => count + rules.count, own.count);
  return sum > limits.stacked ? above : [...above, own];
}

/** Git's order: the innermost file that says something decides. No directory above may be ignored. */
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
    // Unreadable rules ignore nothing; the walk itself reports what it cannot read.
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
