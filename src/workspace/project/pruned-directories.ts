import type { ListedEntry } from '../../boundary/read/list.ts';
import type { Walk, WalkEntry } from '../../boundary/read/walk.ts';
import { ecosystems } from '../ecosystems/all-ecosystems.ts';

/**
 * Names of directories with generated, downloaded or private content of programs; no search enters them. A
 * project in a directory of such a name is not found.
 */
export const prunedDirectories: readonly string[] = [
  ...new Set([
    ...ecosystems.flatMap(({ pruned = [] }) => pruned),
    // Of many ecosystems
    'build',
    'dist',
    'out',
    'vendor',
    '.cache',
    '.terraform',
    // Directories of tools in a home directory
    '$RECYCLE.BIN',
    '.android',
    '.asdf',
    '.claude',
    '.codex',
    '.cursor',
    '.cursor-server',
    '.local',
    '.Trash',
    'AppData',
    'System Volume Information',
  ]),
];

/** The entries of one directory in a walk. */
export interface WalkedDirectory {
  /** Path from the start of the walk, with a slash at the end; empty for the start itself. */
  readonly prefix: string;
  readonly entries: readonly ListedEntry[];
}

/**
 * Yields the directories of a walk one at a time, each as soon as it is complete; joins the parts of a large
 * one.
 */
export async function* directoriesOf(walk: Walk): AsyncGenerator<WalkedDirectory> {
  let parts: WalkEntry[] = [];
  for await (const batch of walk.batches()) {
    if (parts.length > 0 && prefixOf(parts) !== prefixOf(batch)) {
      yield toDirectory(parts);
      parts = [];
    }
    for (const entry of batch) parts.push(entry);
    if (!walk.whole) continue;
    yield toDirectory(parts);
    parts = [];
  }
  if (parts.length > 0) yield toDirectory(parts);
}

function toDirectory(entries: readonly WalkEntry[]): WalkedDirectory {
  const prefix = prefixOf(entries);
  return { prefix, entries: entries.map(({ path, kind }) => ({ name: path.slice(prefix.length), kind })) };
}

function prefixOf([first]: readonly WalkEntry[]): string {
  return first === undefined ? '' : first.path.slice(0, first.path.lastIndexOf('/') + 1);
}
