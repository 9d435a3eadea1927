import { posix, win32 } from 'node:path';
import type { Platform } from '../../path/platform.ts';
import { createRootIndex, type Placement, type RootIndex } from '../../path/root-index.ts';
import type { RootSource } from '../sources/root-source.ts';
import type { Disk } from './disk.ts';

/** What places have to lie within. Both spellings of a root count, as the disk's own `/private/tmp` for `/tmp`. */
export interface ChainBound {
  /** Whether what a source names has to keep to it. */
  binds(source: RootSource): boolean;
  /** By its text alone. */
  holds(path: string): boolean;
  /** The root that holds a path, by its text in either spelling of the root, and the way from there. */
  place(path: string): Promise<Placement<string> | undefined>;
  /** The outermost root that really holds a place, without links; `undefined` if it lies outside. */
  topOf(place: BoundPlace): Promise<string | undefined>;
}

/** A place under two names; they are the same where no link is on the way. */
export interface BoundPlace {
  readonly path: string;
  readonly real: string;
}

export interface BoundOptions {
  readonly platform: Platform;
  readonly disk: Pick<Disk, 'realPath'>;
  /** Whatever source named a place; otherwise only what the caller chose. */
  readonly everyone: boolean;
}

/** Costs nothing until it is asked, and looks at the disk only for what text cannot tell. */
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
      // No link leads to this place, so none leads to what its text says is above it.
      const top = path === real ? findTop(byText(), path, platform) : undefined;
      return top ?? findTop(await byReal(), real, platform);
    },
  };
}

/** One after the other: there may be thousands, and each is open for a moment. */
async function realPathsOf(
  roots: readonly string[],
  disk: Pick<Disk, 'realPath'>,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const root of roots) paths.push(await disk.realPath(root));
  return paths;
}

/** An index knows the longest root that holds a path; one root may lie in another. */
function findTop(index: RootIndex<string>, path: string, platform: Platform): string | undefined {
  const native = platform === 'win32' ? win32 : posix;
  let top: string | undefined;
  for (let root = index.place(path)?.root; root !== undefined && root !== top;) {
    top = root;
    root = index.place(native.dirname(top))?.root;
  }
  return top;
}
