import { closeSync, constants, readSync } from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import type { Directory, Driver } from './driver.ts';

/** The rules of one `.gitignore`, valid below its directory. */
export interface IgnoreRules {
  /** Length of the path of that directory, with its slash. */
  readonly base: number;
  readonly rules: Ignore;
}

/** Rules are turned into regular expressions, and a repository may be hostile: enough for any real one. */
const limits = { bytes: 64 * 1024, rules: 1_000, ruleLength: 256, globstars: 3 } as const;

/** Reads the rules of a directory; `undefined` if it has none that can be used. */
export function readIgnoreRules(driver: Driver, directory: Directory, base: number): IgnoreRules | undefined {
  const text = readSmallFile(driver, directory, '.gitignore');
  if (text === undefined) return undefined;
  const lines = text.split(/\r?\n/).filter(isAffordable).slice(0, limits.rules);
  return { base, rules: ignore().add(lines) };
}

function isAffordable(line: string): boolean {
  return line.length <= limits.ruleLength && (line.match(/\*\*/g) ?? []).length <= limits.globstars;
}

/** Git's order: the innermost file that says something decides. */
export function isIgnored(stack: readonly IgnoreRules[], path: string, isDirectory: boolean): boolean {
  for (const { base, rules } of stack.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(base) + (isDirectory ? '/' : ''));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function readSmallFile(driver: Driver, directory: Directory, name: string): string | undefined {
  try {
    const pinned = driver.pin(directory, name);
    try {
      if (!pinned.stats.isFile()) return undefined;
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
