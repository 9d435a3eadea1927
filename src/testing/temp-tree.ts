import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary directory for one test. */
export interface TempTree extends Disposable {
  /** The real path, free of links. */
  readonly path: string;
  /** The path of an entry in the tree, for plain `node:fs`. */
  at(...names: readonly string[]): string;
  /** Adds more entries. */
  add(...entries: readonly string[]): void;
}

/**
 * Builds a real file tree from a list: `'src/a.ts'` (contains its own name), `'a.txt = some text'`, `'docs/'`,
 * `'link => ../x'`, `'pipe|'` (a FIFO), `'zero!'` (a device like /dev/zero, needs root). Creates missing
 * directories. In the target of a link, `$TREE` stands for the path of the tree.
 *
 * @example
 * ```ts
 * const tree = tempTree(['app/a.txt', 'app/link => ../secret', 'secret = 42']);
 * tree.at('app').startsWith(tree.path) // → true
 * tree[Symbol.dispose]();
 * ```
 */
export function tempTree(entries: readonly string[] = []): TempTree {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'rootward-test-')));
  const tree: TempTree = {
    path,
    at: (...names) => join(path, ...names),
    add: (...more) => {
      const made = new Set<string>();
      for (const entry of more) addEntry({ top: path, made }, entry);
    },
    [Symbol.dispose]: () => removeTree(path),
  };
  tree.add(...entries);
  return tree;
}

interface Planting {
  readonly top: string;
  /** Directories that are there. */
  readonly made: Set<string>;
}

function addEntry(planting: Planting, entry: string): void {
  const [, name, sign, rest] = /^(.*?) (=>?) (.*)$/s.exec(entry) ?? [];
  if (name !== undefined && rest !== undefined) {
    if (sign === '=') writeFileSync(placeOf(planting, name), rest);
    else symlinkSync(rest.replaceAll('$TREE', planting.top), placeOf(planting, name));
  } else if (entry.endsWith('/')) mkdirSync(join(planting.top, entry), { recursive: true });
  else if (entry.endsWith('|')) execFileSync('mkfifo', [placeOf(planting, entry.slice(0, -1))]);
  else if (entry.endsWith('!')) execFileSync('mknod', [placeOf(planting, entry.slice(0, -1)), 'c', '1', '5']);
  else writeFileSync(placeOf(planting, entry), entry);
}

/** Creates the parent directories of an entry and returns its path. */
function placeOf({ top, made }: Planting, name: string): string {
  const path = join(top, name);
  const directory = dirname(path);
  if (!made.has(directory)) mkdirSync(directory, { recursive: true });
  made.add(directory);
  return path;
}

/** Takes half the time of `rmSync`, which is left with what cannot be removed at once. */
function removeTree(path: string): void {
  try {
    removeDirectory(path);
  } catch {
    rmSync(path, { recursive: true, force: true });
  }
}

function removeDirectory(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeDirectory(join(path, entry.name));
    else unlinkSync(join(path, entry.name));
  }
  rmdirSync(path);
}
