import { nameKey, type NameRules } from './fold.ts';
import type { Platform } from './platform.ts';
import { climbs, type SplitPath, splitPath } from './split-path.ts';

/** Where a path lies: which root holds it, and the way from there. */
export interface Placement<Value> {
  readonly root: Value;
  /** Components below the root; empty for the root itself; `..` never climbs above it. */
  readonly components: readonly string[];
  /** The path was spelled as a directory (`docs/`). */
  readonly directory: boolean;
}

/** Finds the longest root that holds a path in time that depends on the path's depth, not on the roots. */
export interface RootIndex<Value> {
  place(path: string): Placement<Value> | undefined;
}

interface Node<Value> {
  readonly children: Map<string, Node<Value>>;
  root?: { readonly value: Value };
}

/**
 * Builds the lookup from absolute native paths. A path that is not acceptable as a root (relative, with `..`)
 * holds nothing. Of two equal roots the first one wins.
 */
export function createRootIndex<Value>(
  roots: Iterable<readonly [path: string, value: Value]>,
  rules: NameRules,
): RootIndex<Value> {
  const { platform } = rules;
  const key = nameKey(rules);
  const top: Node<Value> = { children: new Map() };
  const values: Value[] = [];
  for (const [path, value] of roots) {
    if (insert(top, path, { platform, key, value })) values.push(value);
  }
  return {
    place(path) {
      const split = splitPath(path, platform);
      if ('fault' in split) return undefined;
      return split.prefix === '' ? placeRelative(values, split) : placeAbsolute(top, split, key);
    },
  };
}

type Key = (name: string) => string;

function insert<Value>(
  top: Node<Value>,
  path: string,
  { platform, key, value }: { platform: Platform; key: Key; value: Value },
): boolean {
  const split = splitPath(path, platform);
  if ('fault' in split || split.prefix === '' || split.components.includes('..')) return false;
  let node = childOf(top, key(split.prefix));
  for (const name of split.components) node = childOf(node, key(name));
  node.root ??= { value };
  return true;
}

function childOf<Value>(node: Node<Value>, name: string): Node<Value> {
  const existing = node.children.get(name);
  if (existing !== undefined) return existing;
  const created: Node<Value> = { children: new Map() };
  node.children.set(name, created);
  return created;
}

/** A relative path needs exactly one root to be relative to. */
function placeRelative<Value>(values: readonly Value[], split: SplitPath): Placement<Value> | undefined {
  const [root] = values;
  if (root === undefined || values.length !== 1 || climbs(split.components)) return undefined;
  return { root, components: split.components, directory: split.directory };
}

function placeAbsolute<Value>(top: Node<Value>, split: SplitPath, key: Key): Placement<Value> | undefined {
  const { components, directory } = split;
  let node = top.children.get(key(split.prefix));
  let found: Placement<Value> | undefined;
  for (let depth = 0; node !== undefined; depth += 1) {
    if (node.root !== undefined && !climbs(components, depth)) {
      found = { root: node.root.value, components: components.slice(depth), directory };
    }
    const name = components[depth];
    node = name === undefined ? undefined : node.children.get(key(name));
  }
  return found;
}
