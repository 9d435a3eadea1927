import { join } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { Location } from '../../workspace/workspace.ts';

/** A directory that a search begins in. */
export interface Start {
  readonly boundary: Boundary;
  /** Real names from the root, `.` for the root itself. */
  readonly relative: string;
  /** As a person would write it. */
  readonly absolute: string;
  /** The way from the start to something that a walk found; `undefined` for what is not beneath it. */
  readonly below: (path: string) => string | undefined;
  /** A glob that is meant from the start on, as the root sees it. */
  readonly under: (glob: string) => string;
}

/**
 * Finds out where a search really begins: a link in the path is followed now, so that results carry real
 * names.
 */
export async function startAt({ boundary, relative, root }: Location): Promise<Start> {
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

/** A name in a glob that stands for itself. Globs have no backslash for names, so any character will do there. */
export function escapeGlob(name: string): string {
  return name
    .replaceAll('\\', '\0')
    .replaceAll(/[*?[\]{}]/g, '\\$&')
    .replaceAll('(', '[(]')
    .replaceAll('\0', '?');
}
