import { dirname } from 'node:path';
import { climb } from './climb.ts';
import { describeFinding, type DescribeOptions, type Finding } from './describe-finding.ts';
import { findMarkers, type FoundMarkers } from './find-markers.ts';
import { findStart, spellAbove, type Start } from './find-start.ts';
import type { Marker } from '../ecosystems/markers.ts';
import { findRealPath } from './open-place.ts';
import { parseMarker } from './parse-marker.ts';
import type { Project } from './project.ts';

export interface DetectProjectOptions extends DescribeOptions {
  /** The product's own markers, such as `.blue`: names of files or directories. They win over everything. */
  readonly markers?: readonly string[];
  /** What is the project where a package lies within a repository: the repository by default. */
  readonly nearest?: 'repository' | 'manifest';
  /** How many directories to look at, the first one included; 20 by default. */
  readonly levels?: number;
  /** The last directory to look at. Without effect if the path is not beneath it. */
  readonly stopAt?: string;
  readonly signal?: AbortSignal;
}

/**
 * The project that a path belongs to: upward from the directory that it names, or from the one that holds
 * it. One walk, which ends at the top of a repository. On it
 *
 * 1. the nearest of the product's own markers wins,
 * 2. then the repository (with `nearest: 'manifest'` the nearest manifest in it),
 * 3. then the nearest manifest,
 * 4. then what says little: a `Makefile`, a file of an editor.
 *
 * Directories that cannot be opened are passed over. `undefined` if nothing is found, or if neither the path
 * nor its directory exists.
 *
 * Links are followed first and the walk goes up from there, as Git does it: `/home/me/link/src` belongs to
 * what the link leads to. The location is spelled as the caller would spell it (`/tmp/app` where the disk says
 * `/private/tmp/app`), and as a real path where a link leaves no such spelling. The id depends on real paths
 * alone. It is no permission: what is found may lie anywhere above the path.
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

async function search(start: Start, options: DetectProjectOptions): Promise<Finding | undefined> {
  const { markers: product = [], nearest = 'repository', levels = 20, signal } = options;
  const stopAt = options.stopAt === undefined ? undefined : await findRealPath(options.stopAt);
  let repository: Finding | undefined;
  let manifest: Finding | undefined;
  let weak: Finding | undefined;
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

/** The best marker of a directory that is of a sort, as a finding. */
function findingAt(
  directory: string,
  found: FoundMarkers,
  isWanted: (marker: Marker) => boolean,
): Finding | undefined {
  const decider = found.known.find(({ marker }) => isWanted(marker));
  return decider === undefined ? undefined : { directory, kind: decider.marker.kind, found, decider };
}

/** The nearest one, unless it only continues the one right above it. */
function outermost(below: Finding | undefined, here: Finding | undefined): Finding | undefined {
  if (below === undefined || here === undefined) return below ?? here;
  const last = below.decider?.marker;
  if (last?.repeats !== true || dirname(below.directory) !== here.directory) return below;
  const continues = here.found.known.some(
    ({ marker }) => marker.repeats && marker.ecosystem === last.ecosystem,
  );
  return continues ? here : below;
}
