import { nameKey, type NameRules } from './fold.ts';
import type { Platform } from './platform.ts';
import { climbs, separatorOf, splitPath } from './split-path.ts';

/** The root that holds a path, and the path from there. */
export interface Placement<Value> {
  readonly root: Value;
  /**
   * The path from the root, in native form; `.` for the root itself. `..` in it never climbs above the root.
   */
  readonly relative: string;
  /** The path was spelled as a directory (`docs/`). */
  readonly directory: boolean;
}

/**
 * Finds the longest root that holds a path, in time that depends on the depth of the path, not on the number
 * of roots.
 */
export interface RootIndex<Value> {
  place(path: string): Placement<Value> | undefined;
}

/**
 * Builds the index from absolute native paths. An invalid root (relative, or with `..`) holds nothing. Of two
 * equal roots the first one wins.
 *
 * @example
 * ```ts
 * const index = createRootIndex([['/app', 'app'], ['/app/docs', 'docs']], { platform: 'posix' });
 * index.place('/app/docs/a.md') // → { root: 'docs', relative: 'a.md', directory: false }
 * index.place('/app-old/a.md') // → undefined
 * ```
 */
export function createRootIndex<Value>(
  roots: Iterable<readonly [path: string, value: Value]>,
  rules: NameRules,
): RootIndex<Value> {
  const { platform } = rules;
  const key = nameKey(rules);
  const values = new Map<string, Value>();
  for (const [path, value] of roots) {
    const root = cleanPath(path, platform);
    if (root === undefined || !root.absolute || hasClimb(root.text, platform)) continue;
    if (!values.has(key(root.text))) values.set(key(root.text), value);
  }
  const table: RootTable<Value> = {
    values,
    lengths: new Set([...values.keys()].map(({ length }) => length)),
    distinct: [...new Set(values.values())],
  };
  return {
    place(path) {
      const clean = cleanPath(path, platform);
      if (clean === undefined) return undefined;
      return clean.absolute ? placeAbsolute(table, clean, rules) : placeRelative(table, clean, platform);
    },
  };
}

function hasClimb(text: string, platform: Platform): boolean {
  return text.split(separatorOf(platform)).includes('..');
}

interface RootTable<Value> {
  /** By clean text, folded where case does not matter. */
  readonly values: ReadonlyMap<string, Value>;
  /** Lengths of the keys: only prefixes of these lengths are looked up. */
  readonly lengths: ReadonlySet<number>;
  /** A root may have several spellings. */
  readonly distinct: readonly Value[];
}

interface CleanPath {
  /**
   * One separator between names, none at the end, no `.`. The file system root is therefore empty on posix.
   */
  readonly text: string;
  readonly absolute: boolean;
  readonly directory: boolean;
}

/** Absolute plain ASCII with nothing to clean, which is nearly every path. */
const cleanAlready = /^(?:\/(?!\.{0,2}(?:\/|$))[^/\u0000\u0080-\uFFFF]{1,85})+$/;

function cleanPath(path: string, platform: Platform): CleanPath | undefined {
  if (platform === 'posix' && path.length < 4_096 && cleanAlready.test(path)) {
    return { text: path, absolute: true, directory: false };
  }
  const split = splitPath(path, platform);
  if ('fault' in split) return undefined;
  const { prefix, components, directory } = split;
  const separator = separatorOf(platform);
  // Only the prefix of a relative path does not end with a separator.
  const names = components.map((name) => separator + name).join('');
  const text = prefix === '' ? names.slice(1) : prefix.slice(0, -1) + names;
  return { text, absolute: prefix !== '', directory };
}

function placeAbsolute<Value>(
  { values, lengths }: RootTable<Value>,
  { text, directory }: CleanPath,
  rules: NameRules,
): Placement<Value> | undefined {
  const separator = separatorOf(rules.platform);
  const folded = nameKey(rules)(text);
  for (let end = text.length; end >= 0; end = end === 0 ? -1 : text.lastIndexOf(separator, end - 1)) {
    const root = lengths.has(end) ? values.get(folded.slice(0, end)) : undefined;
    if (root === undefined) continue;
    const relative = text.slice(end + 1);
    if (!climbsOut(relative, rules.platform)) return { root, relative: relative || '.', directory };
  }
  return undefined;
}

/** A relative path is accepted only if there is exactly one root. */
function placeRelative<Value>(
  { distinct }: RootTable<Value>,
  { text, directory }: CleanPath,
  platform: Platform,
): Placement<Value> | undefined {
  const [root] = distinct;
  if (root === undefined || distinct.length !== 1 || climbsOut(text, platform)) return undefined;
  return { root, relative: text || '.', directory };
}

function climbsOut(text: string, platform: Platform): boolean {
  return text.includes('..') && climbs(text.split(separatorOf(platform)));
}
