import { dirname, relative, resolve, sep } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import { openBoundary } from '../boundary/open-boundary.ts';
import { requireOwnPlace } from '../boundary/look/other-writer.ts';
import { RootwardError } from '../errors.ts';

/**
 * Opens a directory of ours, and makes it first if it is missing, for its owner alone. Links on the way are
 * followed. Nothing is read or made where another user of this machine could change something: see
 * `requireOwnPlace`.
 *
 * @throws {RootwardError} `SHARED_PLACE`, `NOT_A_DIRECTORY`
 * @example
 * ```ts
 * const boundary = await openOwnDirectory(process.cwd());
 * boundary.kind // → 'directory'
 * await boundary.close();
 * await openOwnDirectory('package.json') // throws NOT_A_DIRECTORY
 * ```
 */
export async function openOwnDirectory(
  directory: string,
  judge: (path: string) => void = requireOwnPlace,
): Promise<Boundary> {
  const path = resolve(directory);
  judge(path);
  const existing = await openIfThere(path);
  if (existing !== undefined) return requireDirectory(existing, directory);
  await using above = await openAbove(path);
  const [top = path] = above.spellings;
  const names = relative(top, path).split(sep);
  // One after the other: a mode is only given to the last of several.
  for (const index of names.keys())
    await above.makeDirectory(names.slice(0, index + 1).join(sep), { parents: true, mode: 0o700 });
  // Another user may have been first to make it in a directory that everybody can add to.
  judge(path);
  return await requireDirectory(await openBoundary(path), directory);
}

async function openIfThere(path: string): Promise<Boundary | undefined> {
  try {
    return await openBoundary(path);
  } catch (error) {
    if (RootwardError.is(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

async function requireDirectory(boundary: Boundary, path: string): Promise<Boundary> {
  if (boundary.kind === 'directory') return boundary;
  await boundary.close();
  throw new RootwardError('NOT_A_DIRECTORY', { verb: 'open', path });
}

/** The nearest directory above that exists; the top of a file system always does. */
async function openAbove(path: string): Promise<Boundary> {
  const parent = dirname(path);
  const boundary = parent === path ? await openBoundary(parent) : await openIfThere(parent);
  return boundary ?? openAbove(parent);
}
