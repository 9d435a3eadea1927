import type { ListedEntry } from '../../boundary/read/list.ts';
import type { Walk, WalkEntry } from '../../boundary/read/walk.ts';
import { ecosystems } from '../ecosystems/all-ecosystems.ts';

/**
 * Names of directories that hold what programs made, fetched or keep for themselves: no search enters them.
 * The price is that a project in a directory of one of these names is not found.
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
    // What tools keep in a home directory
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

/** What a walk showed of one directory. */
export interface WalkedDirectory {
  /** From where the walk began, with a slash at the end; empty for that directory itself. */
  readonly prefix: string;
  readonly entries: readonly ListedEntry[];
}

/** A walk from the root, one directory at a time, each as soon as it is known: parts of a large one are put together. */
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
