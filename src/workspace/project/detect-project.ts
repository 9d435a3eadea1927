import { dirname, resolve } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import type { ErrorCode } from '../../errors.ts';
import { hostPlatform } from '../../path/platform.ts';
import { splitPath } from '../../path/split-path.ts';
import type { Marker } from '../ecosystems/record/ecosystem.ts';
import { describeFinding, type DescribeOptions, type ProjectFinding } from './describe-project.ts';
import { findMarkers, type FoundMarkers, parseMarker } from './find-markers.ts';
import { findRealPath, openPlace, realPathOf, tryOpen } from './open-place.ts';
import type { Project } from './project.ts';

export interface DetectProjectOptions extends DescribeOptions {
  /** The product's own markers, such as `.blue`: names of files or directories. They take precedence. */
  readonly markers?: readonly string[];
  /** Which one is the project if a package lies within a repository: the repository by default. */
  readonly nearest?: 'repository' | 'manifest';
  /** How many directories to look at, including the first one; 20 by default. */
  readonly levels?: number;
  /** The last directory to look at. Has no effect if the path is not beneath it. */
  readonly stopAt?: string;
  readonly signal?: AbortSignal;
}

/**
 * Finds the project that a path belongs to: upward from the directory that it names, or from the one that
 * contains it. One walk, which ends at the top of a repository. On it
 *
 * 1. the nearest of the product's own markers wins,
 * 2. then the repository (with `nearest: 'manifest'` the nearest manifest in it),
 * 3. then the nearest manifest,
 * 4. then weak markers: a `Makefile`, a file of an editor.
 *
 * Skips directories that cannot be opened. Returns `undefined` if nothing is found, or if neither the path
 * nor its directory exists.
 *
 * Follows links first and walks up from there, like Git: `/home/me/link/src` belongs to the target of the
 * link. The location is spelled as the caller would spell it (`/tmp/app` where the disk says
 * `/private/tmp/app`), and as a real path where a link leaves no such spelling. The id depends on real paths
 * alone. A result is no permission: it may lie anywhere above the path.
 *
 * `detectProject` knows only the disk. `resolveWorkspace` also asks the client's roots, its variables and settings, and
 * uses this function for what they name.
 *
 * @throws {RootwardError} `INVALID_MARKER` for a marker that is not one name
 * @example
 * ```ts
 * const project = await detectProject('src/workspace');
 * project.name // → 'rootward'
 * project.location === process.cwd() // → true
 * project.markers // → ['.git', 'package.json']
 * await detectProject('/nowhere/at/all') // → undefined
 * await detectProject('.', { markers: ['a/b'] }) // throws INVALID_MARKER
 * ```
 */
export async function detectProject(
  path: string,
  options: DetectProjectOptions = {},
): Promise<Project | undefined> {
  for (const marker of options.markers ?? []) parseMarker(marker);
  const start = await findStart(path);
  const finding = start === undefined ? undefined : await search(start, options);
  if (start === undefined || finding === undefined) return undefined;
  return describeFinding(finding, await spellAbove(start, finding.directory), options);
}

async function search(start: WalkStart, options: DetectProjectOptions): Promise<ProjectFinding | undefined> {
  const { markers: product = [], nearest = 'repository', levels = 20, signal } = options;
  const stopAt = options.stopAt === undefined ? undefined : await findRealPath(options.stopAt);
  let repository: ProjectFinding | undefined;
  let manifest: ProjectFinding | undefined;
  let weak: ProjectFinding | undefined;
  const way = climb(start.real, { levels: levels - start.skipped, stopAt, signal });
  for await (const { directory, boundary } of way) {
    const found = await findMarkers(boundary, signal === undefined ? { product } : { product, signal });
    if (found.product.length > 0) return { directory, kind: 'marker', found };
    repository = findingAt(directory, found, isRepository);
    manifest = outermost(manifest, findingAt(directory, found, isManifest));
    weak = outermost(weak, findingAt(directory, found, isWeak));
    if (repository !== undefined) break;
  }
  return nearest === 'manifest' ? (manifest ?? repository ?? weak) : (repository ?? manifest ?? weak);
}

function isRepository({ kind }: Marker): boolean {
  return kind === 'repository';
}

function isManifest({ kind, weak }: Marker): boolean {
  return kind === 'manifest' && !weak;
}

function isWeak({ weak }: Marker): boolean {
  return weak;
}

/** Returns the best matching marker of a directory as a finding. */
function findingAt(
  directory: string,
  found: FoundMarkers,
  isWanted: (marker: Marker) => boolean,
): ProjectFinding | undefined {
  const decider = found.known.find(({ marker }) => isWanted(marker));
  return decider === undefined ? undefined : { directory, kind: decider.marker.kind, found, decider };
}

/** Returns the nearest finding, unless it only continues the one directly above it. */
function outermost(
  below: ProjectFinding | undefined,
  here: ProjectFinding | undefined,
): ProjectFinding | undefined {
  if (below === undefined || here === undefined) return below ?? here;
  const last = below.decider?.marker;
  if (last?.repeats !== true || dirname(below.directory) !== here.directory) return below;
  const continues = here.found.known.some(
    ({ marker }) => marker.repeats && marker.ecosystem === last.ecosystem,
  );
  return continues ? here : below;
}

export interface ClimbOptions {
  /** How many directories to look at, including the first one. */
  readonly levels: number;
  /** Real path of the last directory to look at. */
  readonly stopAt: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** One directory on the way up, open until the next one is requested. */
export interface ClimbedDirectory {
  /** The real path. */
  readonly directory: string;
  readonly boundary: Boundary;
}

/**
 * Walks upward from a real path to the top of the file system. Directories that cannot be opened are skipped,
 * but count.
 */
export async function* climb(
  start: string,
  { levels, stopAt, signal }: ClimbOptions,
): AsyncGenerator<ClimbedDirectory> {
  let directory = start;
  for (let level = 0; level < levels; level += 1) {
    signal?.throwIfAborted();
    await using boundary = await openPlace(directory);
    if (boundary !== undefined) yield { directory, boundary };
    const above = dirname(directory);
    if (directory === stopAt || above === directory) return;
    directory = above;
  }
}

/** A directory under two paths. */
export interface WalkStart {
  /** The caller's spelling: absolute, links not followed. */
  readonly spelled: string;
  readonly real: string;
  /** Levels used up by directories that cannot be opened. */
  readonly skipped: number;
}

/** The directory exists but cannot be opened, so the search continues above it. */
const passedOver: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NO_PERMISSION', 'NAME_TOO_LONG']);

/**
 * Finds the start of a search: the directory that the path names, or else the one that contains it, whether
 * or not the file exists. Returns `undefined` if there is no such directory.
 */
export async function findStart(path: string): Promise<WalkStart | undefined> {
  if ('fault' in splitPath(path, hostPlatform)) return undefined;
  const given = resolve(path);
  const opened = await openDirectory(given, 0);
  if (typeof opened !== 'string') return opened;
  for (let spelled = dirname(given), skipped = 0; ; skipped += 1) {
    const start = await openDirectory(spelled, skipped);
    if (typeof start !== 'string') return start;
    if (!passedOver.has(start) || dirname(spelled) === spelled) return undefined;
    spelled = dirname(spelled);
  }
}

async function openDirectory(spelled: string, skipped: number): Promise<WalkStart | ErrorCode> {
  const place = await tryOpen(spelled);
  if ('refused' in place) return place.refused;
  await using boundary = place.boundary;
  if (boundary.kind === 'file') return 'NOT_A_DIRECTORY';
  return { spelled, real: realPathOf(boundary), skipped };
}

/**
 * Spells a directory above the start as the caller would: the same number of levels up, if that is the same
 * directory. If a link on the way leads elsewhere, returns the real path.
 */
export async function spellAbove({ spelled, real }: WalkStart, directory: string): Promise<string> {
  if (spelled === real) return directory;
  let above = spelled;
  for (let path = real; path !== directory; path = dirname(path)) above = dirname(above);
  return (await findRealPath(above)) === directory ? above : directory;
}
