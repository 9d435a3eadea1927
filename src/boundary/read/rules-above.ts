import type { BoundaryContext } from '../step/context.ts';
import type { Directory } from '../system/driver.ts';
import { isErrno } from '../system/errno.ts';
import { type IgnoreRules, isIgnored, readIgnoreRules, stackRules } from './gitignore.ts';

/**
 * Reads the `.gitignore` rules above a directory, from the root on, which apply in it too. Returns none if
 * they ignore the directory itself: a walk that starts there is meant to see it.
 */
export function readRulesAbove(context: BoundaryContext, relative: string): readonly IgnoreRules[] {
  if (relative === '' || relative === '.') return [];
  const rules = readOnWay(context, relative.split('/'));
  return rules === 'left-out' ? [] : stackAll(rules.slice(0, -1));
}

/**
 * Returns the rules of the root and of each directory on the way, or `left-out` if they ignore one of these.
 */
function readOnWay(
  context: BoundaryContext,
  names: readonly string[],
): readonly (IgnoreRules | undefined)[] | 'left-out' {
  const { driver, top } = context;
  let current: Directory = driver.duplicate(top);
  let prefix = '';
  const rules = [readIgnoreRules(context, current, '')];
  try {
    for (const name of names) {
      prefix += name;
      if (name === '.git' || isIgnored(stackAll(rules), prefix, true)) return 'left-out';
      const next = driver.enter(current, name);
      driver.close(current);
      current = next;
      prefix += '/';
      rules.push(readIgnoreRules(context, current, prefix));
    }
    return rules;
  } catch (error) {
    // Replaced since it was opened: use the rules read so far.
    if (isErrno(error)) return [...rules, undefined];
    throw error;
  } finally {
    driver.close(current);
  }
}

function stackAll(rules: readonly (IgnoreRules | undefined)[]): readonly IgnoreRules[] {
  return rules.reduce<readonly IgnoreRules[]>(stackRules, []);
}
