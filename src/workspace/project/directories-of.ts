import type { ListedEntry } from '../../boundary/read/list.ts';
import type { Walk, WalkEntry } from '../../boundary/read/walk.ts';

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
