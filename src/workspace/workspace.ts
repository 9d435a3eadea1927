import { dirname, join, sep } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import { type BoundaryOptions, openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import { isFileUri, readFileUri } from '../path/file-uri.ts';
import { isInside } from '../path/inside.ts';
import { hostPlatform } from '../path/platform.ts';
import { createRootIndex, type RootIndex } from '../path/root-index.ts';
import { createRootIssue, type RootIssue } from '../path/root-issue.ts';
import type { Root } from '../path/root.ts';

/** One root, held open. */
export interface OpenRoot {
  readonly root: Root;
  readonly boundary: Boundary;
}

/** A path placed in the workspace. */
export interface Location extends OpenRoot {
  /** The way from the root in native form; `.` for the root itself. */
  readonly relative: string;
}

/** The innermost root around a place, and the way from there, with `/` between names. */
export interface Owner {
  readonly name: string;
  readonly relative: string;
}

/** What one call may see: an immutable snapshot. A change of roots is another workspace. */
export interface Workspace extends AsyncDisposable {
  readonly roots: readonly OpenRoot[];
  /** Roots that could not be opened. */
  readonly issues: readonly RootIssue[];
  /** Tells one snapshot from the next. */
  readonly revision: number;
  /** The longest root that holds a path (absolute, file URI, or relative to the only root). */
  locate(path: string): Location | undefined;
  /** The root that a place in one of the roots really belongs to: a nested root owns what is beneath it. */
  ownerOf(location: OpenRoot, relative: string): Owner;
  /** Lets the roots go when the last operation on them has ended. */
  close(): Promise<void>;
}

export interface WorkspaceOptions {
  readonly revision?: number;
  /** For every root. */
  readonly boundary?: Omit<BoundaryOptions, 'name' | 'guard'>;
}

/**
 * Opens roots as one workspace. A root that cannot be opened is an issue, not a failure; two roots with one
 * name get different ones, because rules and messages go by name.
 *
 * @example
 * ```ts
 * const { roots } = parseRoots([{ uri: toFileUri(process.cwd()), name: 'app' }]);
 * const workspace = await openWorkspace(roots);
 * workspace.locate('src/index.ts').root.name // → 'app'
 * workspace.locate('../elsewhere') // → undefined
 * await workspace.close();
 * ```
 */
export async function openWorkspace(
  roots: readonly Root[],
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  const opened: OpenRoot[] = [];
  const issues: RootIssue[] = [];
  for (const root of nameApart(roots)) {
    const result = await openRoot(root, options);
    if ('boundary' in result) opened.push(result);
    else issues.push(result);
  }
  const index = indexOf(opened);
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(({ boundary }) => boundary.close()));
  };
  return {
    roots: opened,
    issues,
    revision: options.revision ?? 1,
    locate: (path) => locateIn(index, path),
    ownerOf: hasNested(opened) ? (open, relative) => findOwner(index, open, relative) : ownOwner,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function openRoot(
  root: Root,
  { boundary: options = {} }: WorkspaceOptions,
): Promise<OpenRoot | RootIssue> {
  try {
    const boundary = await openBoundary(root.path, { ...options, name: root.name });
    return { root: { ...root, kind: boundary.kind }, boundary };
  } catch (error) {
    if (!RootwardError.is(error) || RootwardError.is(error, 'WEAK_LEVEL')) throw error;
    return createRootIssue(error.code === 'NOT_FOUND' ? 'missing' : 'unusable', root.uri);
  }
}

/** Both spellings count: a client may say `/tmp/x` where the disk says `/private/tmp/x`. */
function indexOf(roots: readonly OpenRoot[]): RootIndex<OpenRoot> {
  const declared = roots.map((open) => [open.root.path, open] as const);
  const real = roots.flatMap((open) => open.boundary.spellings.map((path) => [path, open] as const));
  return createRootIndex([...declared, ...real], { platform: hostPlatform });
}

function locateIn(index: RootIndex<OpenRoot>, path: string): Location | undefined {
  const native = isFileUri(path) ? readFileUri(path, { whole: true, unc: true }) : path;
  if (typeof native !== 'string') return undefined;
  const placement = index.place(native);
  if (placement === undefined) return undefined;
  const { root, relative, directory } = placement;
  return { ...root, relative: directory && relative !== '.' ? `${relative}/` : relative };
}

function hasNested(roots: readonly OpenRoot[]): boolean {
  return roots.some((outer) =>
    roots.some((inner) => inner !== outer && isInside(realPath(outer), realPath(inner))),
  );
}

function realPath({ boundary, root }: OpenRoot): string {
  return boundary.spellings.at(-1) ?? root.path;
}

function ownOwner({ root }: OpenRoot, relative: string): Owner {
  return { name: root.name, relative };
}

function findOwner(index: RootIndex<OpenRoot>, open: OpenRoot, relative: string): Owner {
  const top = open.boundary.kind === 'file' ? dirname(realPath(open)) : realPath(open);
  const placement = index.place(join(top, relative));
  if (placement === undefined) return ownOwner(open, relative);
  return { name: placement.root.root.name, relative: placement.relative.replaceAll(sep, '/') };
}

/** `app`, `app-2`, `app-3`: the first keeps its name. */
function nameApart(roots: readonly Root[]): readonly Root[] {
  const taken = new Set<string>();
  return roots.map((root) => {
    let name = root.name;
    for (let count = 2; taken.has(name); count += 1) name = `${root.name}-${count}`;
    taken.add(name);
    return { ...root, name };
  });
}
