import { basename, dirname, join, sep } from 'node:path';
import { createNaming } from '../base/naming.ts';
import type { Boundary } from '../boundary/boundary.ts';
import {
  type BoundaryOptions,
  createRootOpener,
  identityAt,
  type OpenedAmong,
  type RootOpener,
} from '../boundary/open-boundary.ts';
import type { KnownTops } from '../boundary/step/context.ts';
import { type ErrorCode, RootwardError } from '../errors.ts';
import { isFileUri, readFileUri } from '../path/file-uri.ts';
import { hostPlatform } from '../path/platform.ts';
import { createRootIndex, type Placement, type RootIndex } from '../path/root-index.ts';
import { createRootIssue, type RootIssue, type RootIssueCode } from '../path/root-issue.ts';
import type { Root } from '../path/root.ts';
import { type Anchors, createAnchors } from './anchors.ts';

/** A root that is held open. */
export interface OpenRoot {
  readonly root: Root;
  readonly boundary: Boundary;
  /**
   * Its position in a directory of the operator, by real path. The rules of that directory apply: a client
   * must not bypass them by naming a path beneath it.
   */
  readonly ceiling?: OwningRoot;
}

/** A path and the root that holds it. */
export interface Location extends OpenRoot {
  /** The path from the root, in native form; `.` for the root itself. */
  readonly relative: string;
}

/** The innermost root around a place, and the path from there, with `/` between names. */
export interface OwningRoot {
  readonly name: string;
  readonly relative: string;
}

/** The roots that one call may see: an immutable snapshot. A change of roots makes another workspace. */
export interface Workspace extends AsyncDisposable {
  readonly roots: readonly OpenRoot[];
  /** The roots among them that are files. */
  readonly files: readonly OpenRoot[];
  /** Roots that could not be opened. */
  readonly issues: readonly RootIssue[];
  /** Distinguishes snapshots. */
  readonly revision: number;
  /** Finds the longest root that holds a path (absolute, file URI, or relative to the only root). */
  locate(path: string): Location | undefined;
  /** Returns the root that a place really belongs to: a nested root owns everything beneath it. */
  ownerOf(location: OpenRoot, relative: string): OwningRoot;
  /** Closes the roots when the last operation on them has ended. */
  close(): Promise<void>;
}

export interface WorkspaceOptions {
  readonly revision?: number;
  /**
   * The directories that the operator allows at most. Roots beneath them are reached through them, and keep
   * their rules.
   */
  readonly ceiling?: readonly Root[];
  /** Earlier roots of this server; none by default. */
  readonly anchors?: Anchors;
  /**
   * Refuses a root outside the ceiling by the real path of what was opened: a link may lead to a place that is
   * not a project.
   */
  readonly refuses?: (root: Root, real: string) => RootIssue | undefined;
  /** Options of every boundary. */
  readonly boundary?: Omit<BoundaryOptions, 'name' | 'guard'>;
}

/**
 * Opens roots as one workspace. A root that cannot be opened becomes an issue, not an error. Roots get unique
 * names, because rules and messages refer to them by name.
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
  const { ceiling: above = [], anchors = createAnchors(), boundary, refuses = () => undefined } = options;
  using opener = createRootOpener(topsOf([...above, ...roots], anchors), boundary);
  const scene: OpeningScene = { anchors, opener, refuses };
  const ceiling = openAll(above, [], { ...scene, refuses: () => undefined });
  const { opened: plain, issues } = openAll(roots, ceiling.opened, scene);
  const opened = keepNames(plain);
  const index = indexOf(opened);
  const close = async (): Promise<void> => {
    await Promise.all([...opened, ...ceiling.opened].map(({ boundary }) => boundary.close()));
  };
  return {
    roots: opened,
    files: opened.filter(({ boundary: { kind } }) => kind === 'file'),
    issues,
    revision: options.revision ?? 1,
    locate: (path) => locateIn(index, path),
    ownerOf: hasNested(opened, index) ? (open, relative) => findOwner(index, open, relative) : ownedBy,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The settings shared by all roots of a workspace. */
interface OpeningScene {
  readonly anchors: Anchors;
  readonly opener: RootOpener;
  readonly refuses: NonNullable<WorkspaceOptions['refuses']>;
}

/**
 * Directories that are or were roots. If a name was replaced, this includes a directory too many, which only
 * makes paths through it stricter.
 */
function topsOf(roots: readonly Root[], anchors: Anchors): KnownTops {
  const tops = new Map(anchors.tops);
  // A directory on the command line is often a ceiling and a root.
  for (const path of new Set(roots.slice(0, mostTried).map((root) => root.path))) {
    const identity = identityAt(path);
    if (identity !== undefined && !tops.has(identity)) tops.set(identity, path);
  }
  return tops;
}

interface OpenedRoots {
  readonly opened: readonly FoundRoot[];
  readonly issues: readonly RootIssue[];
}

/** An opened root, and how it was found among the others. */
interface FoundRoot extends OpenRoot {
  readonly found: Omit<OpenedAmong, 'boundary'>;
}

function openAll(roots: readonly Root[], ceiling: readonly OpenRoot[], scene: OpeningScene): OpenedRoots {
  const above = indexOf(ceiling);
  const opened: FoundRoot[] = [];
  const issues: RootIssue[] = [];
  for (const root of nameApart(roots.slice(0, mostTried))) {
    if (opened.length === mostOpened) break;
    const result = openRoot(root, above, scene);
    if ('boundary' in result) opened.push(result);
    else issues.push(result);
  }
  const left = roots.length - opened.length - issues.length;
  if (left > 0) issues.push(createRootIssue('too-many', `${left} more roots`));
  return { opened, issues };
}

/** Each root takes a handle of the process, and the client chooses how many it lists. */
const mostOpened = 256;
const mostTried = 1_024;

function openRoot(root: Root, above: RootIndex<OpenRoot>, scene: OpeningScene): FoundRoot | RootIssue {
  try {
    const opened = scene.opener.open(root.path, root.name);
    const isKept = opened.holder === undefined || scene.anchors.keeps(root.path, opened.holder);
    if ('missing' in opened) return createRootIssue('missing', root.uri);
    const { boundary, ...found } = opened;
    const open = { root: { ...root, kind: boundary.kind }, boundary, found };
    const real = above.place(realPath(open));
    const issue = isKept ? findIssue(open, { above, real, scene }) : createRootIssue('exchanged', root.uri);
    if (issue !== undefined) {
      void boundary.close();
      return issue;
    }
    if (boundary.kind === 'directory') scene.anchors.addTop(found.identity, root.path);
    return real === undefined ? open : { ...open, ceiling: ownerIn(real) };
  } catch (error) {
    if (!RootwardError.is(error) || RootwardError.is(error, 'WEAK_LEVEL')) throw error;
    return createRootIssue(issueOf[error.code] ?? 'unusable', root.uri);
  }
}

const issueOf: { readonly [Code in ErrorCode]?: RootIssueCode } = {
  NOT_FOUND: 'missing',
  OUTSIDE_ROOTS: 'leaves-root',
};

interface OpenedPlace {
  readonly above: RootIndex<OpenRoot>;
  /** Its position in the ceiling, by its real path. */
  readonly real: Placement<OpenRoot> | undefined;
  readonly scene: OpeningScene;
}

function findIssue(open: FoundRoot, { above, real, scene }: OpenedPlace): RootIssue | undefined {
  const refused = real === undefined ? scene.refuses(open.root, realPath(open)) : undefined;
  if (refused !== undefined) return refused;
  const code = refuseOpened(open, above, real);
  return code && createRootIssue(code, open.root.uri);
}

/** Judges the opened handle, not the name. */
function refuseOpened(
  open: FoundRoot,
  above: RootIndex<OpenRoot>,
  real: Placement<OpenRoot> | undefined,
): RootIssueCode | undefined {
  if (isWhole(realPath(open)) && !isWhole(open.root.path)) return 'whole-file-system';
  // A root beneath the ceiling is reached through it, or not at all.
  const place = above.place(open.root.path);
  if (place !== undefined && place.relative !== '.' && real === undefined) return 'leaves-root';
  return real !== undefined && real.root.boundary.mount !== open.boundary.mount ? 'unusable' : undefined;
}

/** Whether the path is `/`, a drive, or a share. */
function isWhole(path: string): boolean {
  return dirname(path) === path;
}

/** Protects the names of roots within other roots, and of the directories that lead to them. */
function keepNames(roots: readonly FoundRoot[]): readonly OpenRoot[] {
  const nested = roots.filter(({ found }) => found.holder !== undefined);
  if (nested.length === 0) return roots;
  const directories = new Set(nested.flatMap(({ found }) => found.inside));
  const files = new Map<string, Set<string>>();
  for (const { boundary, found } of nested) {
    if (boundary.kind === 'directory') continue;
    const names = files.get(found.identity) ?? new Set();
    files.set(found.identity, names.add(basename(boundary.spellings.at(-1) ?? '')));
  }
  const index = indexOf(roots);
  const ownerOf = (path: string): string | undefined => {
    const placement = index.place(path);
    return placement && ownedBy(placement.root, '.').name;
  };
  const inner = { directories, files, ownerOf };
  return roots.map((open) => ({ ...open, boundary: open.boundary.holding(inner) }));
}

/** Converts a placement to the root and path that rules use. */
function ownerIn({ root, relative }: Placement<OpenRoot>): OwningRoot {
  return { name: root.root.name, relative: relative.replaceAll(sep, '/') };
}

/** Indexes both spellings: a client may send `/tmp/x` where the disk says `/private/tmp/x`. */
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

/** Whether a root lies in another one, or is the same place. */
function hasNested(roots: readonly OpenRoot[], index: RootIndex<OpenRoot>): boolean {
  const places = roots.map(realPath);
  return new Set(places).size < places.length || places.some((path) => isIn(index, dirname(path), path));
}

/** Whether a root is at the parent of a place, or above it. */
function isIn(index: RootIndex<OpenRoot>, parent: string, place: string): boolean {
  return parent !== place && index.place(parent) !== undefined;
}

function realPath({ boundary, root }: OpenRoot): string {
  return boundary.spellings.at(-1) ?? root.path;
}

/** For rules, a root beneath the ceiling is a part of it. */
export function ownedBy({ root, ceiling }: OpenRoot, relative: string): OwningRoot {
  if (ceiling === undefined) return { name: root.name, relative };
  const names = [ceiling.relative, relative].filter((part) => part !== '.' && part !== '');
  return { name: ceiling.name, relative: names.join('/') || '.' };
}

function findOwner(index: RootIndex<OpenRoot>, open: OpenRoot, relative: string): OwningRoot {
  const top = open.boundary.kind === 'file' ? dirname(realPath(open)) : realPath(open);
  const placement = index.place(join(top, relative));
  if (placement === undefined) return ownedBy(open, relative);
  return ownedBy(placement.root, placement.relative.replaceAll(sep, '/'));
}

/** Makes names unique, because rules and messages refer to them. */
function nameApart(roots: readonly Root[]): readonly Root[] {
  const apart = createNaming();
  return roots.map((root) => ({ ...root, name: apart(root.name) }));
}
