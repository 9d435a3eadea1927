import { posix, win32 } from 'node:path';
import type { Platform } from '../../path/platform.ts';
import { createRootIndex, type Placement, type RootIndex } from '../../path/root-index.ts';
import type { RootSource } from '../sources/root-source.ts';
import type { Disk } from './disk.ts';

/** The roots that places must lie in. Both spellings of a root count, such as `/private/tmp` for `/tmp`. */
export interface ChainBound {
  /** Whether places of this source are restricted. */
  binds(source: RootSource): boolean;
  /** Checks the text of the path alone. */
  holds(path: string): boolean;
  /** Finds the root that holds a path, by either spelling of the root, and the path from there. */
  place(path: string): Promise<Placement<string> | undefined>;
  /**
   * Returns the outermost root that really holds a place, after resolving links; `undefined` if it lies
   * outside.
   */
  topOf(place: BoundPlace): Promise<string | undefined>;
}

/** A place under two paths, which are equal if the path contains no link. */
export interface BoundPlace {
  readonly path: string;
  readonly real: string;
}

export interface BoundOptions {
  readonly platform: Platform;
  readonly disk: Pick<Disk, 'realPath'>;
  /** Restricts all sources; otherwise only those with `bounded`. */
  readonly everyone: boolean;
}

/** Creates a bound. Works lazily, and uses the disk only where text does not suffice. */
export function createBound(
  roots: readonly string[],
  { platform, disk, everyone }: BoundOptions,
): ChainBound {
  const indexOf = (paths: readonly string[]): RootIndex<string> =>
    createRootIndex(
      paths.map((path) => [path, path] as const),
      { platform },
    );
  let texts: RootIndex<string> | undefined;
  let reals: Promise<RootIndex<string>> | undefined;
  const byText = (): RootIndex<string> => (texts ??= indexOf(roots));
  const byReal = (): Promise<RootIndex<string>> => (reals ??= realPathsOf(roots, disk).then(indexOf));
  return {
    binds: ({ bounded }) => everyone || bounded === true,
    holds: (path) => byText().place(path) !== undefined,
    place: async (path) => byText().place(path) ?? (await byReal()).place(path),
    async topOf({ path, real }) {
      // No link leads to this place, so its text shows what is above it.
      const top = path === real ? findTop(byText(), path, platform) : undefined;
      return top ?? findTop(await byReal(), real, platform);
    },
  };
}

/** One after the other: there may be thousands, and each takes a handle for a moment. */
async function realPathsOf(
  roots: readonly string[],
  disk: Pick<Disk, 'realPath'>,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const root of roots) paths.push(await disk.realPath(root));
  return paths;
}

/** The index finds the longest root that holds a path, but roots may lie in each other. */
function findTop(index: RootIndex<string>, path: string, platform: Platform): string | undefined {
  const native = platform === 'win32' ? win32 : posix;
  let top: string | undefined;
  for (let root = index.place(path)?.root; root !== undefined && root !== top;) {
    top = root;
    root = index.place(native.dirname(top))?.root;
  }
  return top;
}
