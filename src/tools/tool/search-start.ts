import { join } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import type { Location } from '../../workspace/workspace.ts';

/** The start directory of a search. */
export interface SearchStart {
  readonly boundary: Boundary;
  /** Real names from the root; `.` for the root itself. */
  readonly relative: string;
  /** Absolute path for display. */
  readonly absolute: string;
  /** Returns the path of an entry relative to the start; `undefined` if it is not inside. */
  readonly below: (path: string) => string | undefined;
  /** Converts a glob relative to the start to one relative to the root. */
  readonly under: (glob: string) => string;
}

/** Resolves the start of a search: links in the path are followed now, so that results have real names. */
export async function startAt({ boundary, relative, root }: Location): Promise<SearchStart> {
  const { relative: real, kind } = await boundary.probe('list', relative);
  const attempt = { verb: 'search', path: relative };
  if (kind === undefined) throw new RootwardError('NOT_FOUND', attempt);
  if (kind !== 'directory') throw new RootwardError('NOT_A_DIRECTORY', attempt);
  const prefix = real === '' ? '' : `${real}/`;
  return {
    boundary,
    relative: real === '' ? '.' : real,
    absolute: join(root.path, real),
    below: (path) => (path.startsWith(prefix) ? path.slice(prefix.length) : undefined),
    under: (glob) => (glob.startsWith('!') ? glob : `/${escapeGlob(prefix)}${glob.replace(/^\//, '')}`),
  };
}

/** Escapes a name for use in a glob. Globs cannot escape a backslash, so `?` stands for it. */
export function escapeGlob(name: string): string {
  return name
    .replaceAll('\\', '\0')
    .replaceAll(/[*?[\]{}]/g, '\\$&')
    .replaceAll('(', '[(]')
    .replaceAll('\0', '?');
}

/**
 * Returns the absolute path of a location, without links beneath the root. Permission for the operation includes
 * knowing the path.
 */
export async function realPlaceOf(
  { boundary, relative, root }: Location,
  operation: Operation = 'list',
): Promise<string> {
  if (boundary.kind === 'file') return root.path;
  const { relative: real } = await boundary.probe(operation, relative);
  return join(root.path, real);
}
