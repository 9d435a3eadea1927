import type { BoundaryContext } from './context.ts';
import type { Directory } from './driver.ts';
import { isErrno } from './errno.ts';
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

/** Whether something beneath the directory is left out, by its path from the root. */
export type IgnoredAbove = (path: string, isDirectory: boolean) => boolean;

/** The same rules as a question, for whoever goes through the directory in another way than a walk. */
export function ignoredAbove(context: BoundaryContext, relative: string): IgnoredAbove {
  const rules = readRulesAbove(context, relative);
  if (rules.length === 0) return () => false;
  return (path, isDirectory) =>
    isIgnoredBy(rules, path, isDirectory) && !isTakenBack(context, path, isDirectory);
}

/** With every directory on the way: what is in one that is left out is left out. */
function isIgnoredBy(rules: readonly IgnoreRules[], path: string, isDirectory: boolean): boolean {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    if (isIgnored(rules, path.slice(0, end), true)) return true;
  }
  return isIgnored(rules, path, isDirectory);
}

/** A file further down has the last word. It costs more to ask, so it is asked last. */
function isTakenBack(context: BoundaryContext, path: string, isDirectory: boolean): boolean {
  const rules = readOnWay(context, path.split('/').slice(0, -1));
  if (rules === 'left-out') return false;
  return !isIgnored(
    rules.flatMap((own) => own ?? []),
    path,
    isDirectory,
  );
}

/** The rules of the root and of each directory from there, or that they leave one of these out. */
function readOnWay(
  context: BoundaryContext,
  names: readonly string[],
): readonly (IgnoreRules | undefined)[] | 'left-out' {
  const { driver, top } = context;
  let current: Directory = driver.duplicate(top);
  let prefix = '';
  const rules = [readIgnoreRules(context, current, 0)];
  try {
    for (const name of names) {
      prefix += name;
      const soFar = rules.flatMap((own) => own ?? []);
      if (name === '.git' || isIgnored(soFar, prefix, true)) return 'left-out';
      const next = driver.enter(current, name);
      driver.close(current);
      current = next;
      prefix += '/';
      rules.push(readIgnoreRules(context, current, prefix.length));
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
