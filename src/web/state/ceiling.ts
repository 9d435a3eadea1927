import { basename, join, sep } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import type { RootStore } from '../../client/store/root-store.ts';
import { RootwardError } from '../../errors.ts';
import { locate } from '../../path/locate.ts';
import type { BrowseView, FolderView } from '../wire/wire.ts';

/** The folders that the page may show, and those that may become roots. */
export interface PageCeiling extends AsyncDisposable {
  readonly tops: readonly { readonly name: string; readonly path: string }[];
  /** Whether only places below the tops may become roots. */
  readonly bounded: boolean;
  /** @throws {RootwardError} `OUTSIDE_ROOTS`, and errors of the disk */
  browse(path: string, store: Pick<RootStore, 'get'>): Promise<BrowseView>;
  /**
   * Requires that a path may become a root. Follows links as a boundary does: not out of the top.
   *
   * @throws {RootwardError} `OUTSIDE_ROOTS`
   */
  requireInside(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface CeilingOptions {
  readonly tops: readonly string[];
  readonly bounded: boolean;
}

/** Limit of folders shown. */
const mostFolders = 5_000;

/** Opens the tops. One that cannot be opened is left out. */
export async function openCeiling({ tops: paths, bounded }: CeilingOptions): Promise<PageCeiling> {
  const boundaries = new Map<string, Boundary>();
  for (const path of new Set(paths)) {
    const boundary = await openIfThere(path);
    if (boundary?.kind === 'directory') boundaries.set(path, boundary);
    else await boundary?.close();
  }
  const tops = [...boundaries.keys()].map((path) => ({ name: basename(path) || path, path }));
  const place = (path: string): PlacedFolder => {
    const found = locate([...boundaries.keys()], path);
    const boundary = found && boundaries.get(found.root);
    if (found !== undefined && boundary !== undefined)
      return { boundary, top: found.root, relative: found.relative };
    throw new RootwardError('OUTSIDE_ROOTS', { path, roots: tops.map(({ name }) => name) });
  };
  const close = async (): Promise<void> => {
    await Promise.all([...boundaries.values()].map((boundary) => boundary.close()));
  };
  return {
    tops,
    bounded,
    browse: async (path, store) => browse(place(path), store),
    async requireInside(path) {
      if (!bounded) return;
      const { boundary, relative } = place(path);
      if (relative !== '.') await boundary.stat(relative);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface PlacedFolder {
  readonly boundary: Boundary;
  readonly top: string;
  /** `.` for the top itself. */
  readonly relative: string;
}

async function browse(
  { boundary, top, relative }: PlacedFolder,
  store: Pick<RootStore, 'get'>,
): Promise<BrowseView> {
  const { entries, truncated } = await boundary.list(relative, { limit: mostFolders });
  const path = relative === '.' ? top : join(top, relative);
  const folders = entries
    .filter(({ kind }) => kind === 'directory')
    .map(({ name }) => describeFolder(join(path, name), name, store));
  return { path, crumbs: crumbsOf(top, relative), folders, truncated };
}

function describeFolder(path: string, name: string, store: Pick<RootStore, 'get'>): FolderView {
  const root = store.get(path);
  return { path, name, hidden: name.startsWith('.'), ...(root?.path === path ? { root: root.name } : {}) };
}

function crumbsOf(top: string, relative: string): BrowseView['crumbs'] {
  const names = relative.split(sep).filter((name) => name !== '' && name !== '.');
  const below = names.map((name, index) => ({ name, path: join(top, ...names.slice(0, index + 1)) }));
  return [{ name: basename(top) || top, path: top }, ...below];
}

async function openIfThere(path: string): Promise<Boundary | undefined> {
  try {
    return await openBoundary(path);
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}
