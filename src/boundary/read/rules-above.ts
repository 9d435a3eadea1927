import type { BoundaryContext } from '../step/context.ts';
import type { Directory } from '../system/driver.ts';
import { isErrno } from '../system/errno.ts';
import { type IgnoreRules, isIgnored, readIgnoreRules } from './gitignore.ts';

/**
 * What the `.gitignore` files above a directory say, from the root on: they hold in it too. None, where they
 * leave out the directory itself: whoever begins there wants to see it.
 */
export function readRulesAbove(context: BoundaryContext, relative: string): readonly IgnoreRules[] {
  if (relative === '' || relative === '.') return [];
  const rules = readOnWay(context, relative.split('/'));
  return rules === 'left-out' ? [] : rules.slice(0, -1).flatMap((own) => own ?? []);
}

/** The rules of the root and of each directory from there, or that they leave one of these out. */
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
      const soFar = rules.flatMap((own) => own ?? []);
      if (name === '.git' || isIgnored(soFar, prefix, true)) return 'left-out';
      const next = driver.enter(current, name);
      driver.close(current);
      current = next;
      prefix += '/';
      rules.push(readIgnoreRules(context, current, prefix));
    }
    return rules;
  } catch (error) {
    // Exchanged since it was opened: what was read so far holds.
    if (isErrno(error)) return [...rules, undefined];
    throw error;
  } finally {
    driver.close(current);
  }
}
