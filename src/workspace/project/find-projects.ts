import type { Boundary } from '../../boundary/boundary.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import type { Walk, WalkChoice, WalkOptions } from '../../boundary/read/walk.ts';
import type { EntryKind } from '../../boundary/system/file-info.ts';
import { RootwardError } from '../../errors.ts';
import { matchMarker } from '../ecosystems/markers.ts';
import type { DescribeOptions } from './describe-project.ts';
import { parseMarker } from './find-markers.ts';
import { ProjectVisitor } from './project-visitor.ts';
import type { FoundProject } from './project.ts';
import { directoriesOf, prunedDirectories } from './pruned-directories.ts';

export interface FindProjectsOptions extends DescribeOptions, ProgressOptions {
  /** The product's own markers, such as `.blue`: names of files or directories. */
  readonly markers?: readonly string[];
  /** Names of directories that are not entered, instead of `prunedDirectories`. */
  readonly prune?: readonly string[];
  /** Do not enter directories that `.gitignore` files leave out; so by default. */
  readonly gitignore?: boolean;
  /** How many directories deep; 8 by default. */
  readonly depth?: number;
  /** How many names to look at; a million by default. */
  readonly entries?: number;
  /** How many projects to find; 10,000 by default. */
  readonly projects?: number;
  /** How long to take, with the time that the caller takes between two projects; 30,000 by default. */
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

/** The projects of a directory, in the order in which they are found. Iterate once. */
export interface ProjectSearch extends AsyncIterable<FoundProject> {
  /** Which limit ended it early, or left something out; `undefined` if it saw everything. */
  readonly stopped: Walk['stopped'] | 'projects';
  /** Directories that could not be read. */
  readonly skipped: number;
}

/**
 * Every project in a directory, itself included: repositories, directories with a manifest, packages of
 * monorepos, VS Code workspaces. Each is given as soon as it is known, before what lies in it.
 *
 * What is a project follows the rules of `detectProject`: a `Makefile` or an editor's file counts only where
 * nothing better is around. A package within a repository is a project with a `parent`, and a `member` if the
 * parent declares it: `workspaces` of npm, Yarn and Bun, pnpm-workspace.yaml, Deno, Cargo, go.work, uv, Maven,
 * folders of a VS Code workspace, and as a best effort Gradle.
 *
 * Links are never followed on the way down. Directories that cannot be read are counted, manifests that cannot
 * be read are told to `onIssue`; neither ends the search. A marker counts although `.gitignore` leaves it out:
 * only directories are passed over.
 *
 * @throws {RootwardError} `INVALID_MARKER` at once for a marker that is not one name; when it begins, `NOT_FOUND`,
 * `NOT_A_DIRECTORY`, `NO_PERMISSION`
 * @example
 * ```ts
 * const search = findProjects(process.cwd(), { depth: 0 });
 * const projects = [];
 * for await (const project of search) projects.push(project);
 * projects.map(({ name, kind, depth, member }) => ({ name, kind, depth, member })) // → [{ name: 'rootward', kind: 'repository', depth: 0, member: false }]
 * search.stopped // → 'depth'
 * search.skipped // → 0
 * ```
 */
export function findProjects(directory: string, options: FindProjectsOptions = {}): ProjectSearch {
  for (const marker of options.markers ?? []) parseMarker(marker);
  return new DownwardSearch(directory, options);
}

class DownwardSearch implements ProjectSearch {
  readonly #options: FindProjectsOptions;
  readonly #progress: ProgressReport;
  readonly #projects: AsyncGenerator<FoundProject>;
  #walk: Walk | undefined;
  #isFull = false;

  constructor(directory: string, options: FindProjectsOptions) {
    this.#options = options;
    this.#progress = new ProgressReport(options);
    this.#projects = this.#find(directory);
  }

  get stopped(): ProjectSearch['stopped'] {
    return this.#isFull ? 'projects' : this.#walk?.stopped;
  }

  get skipped(): number {
    return this.#walk?.skipped ?? 0;
  }

  [Symbol.asyncIterator](): AsyncIterator<FoundProject> {
    return this.#projects;
  }

  async *#find(directory: string): AsyncGenerator<FoundProject> {
    const { projects: most = 10_000 } = this.#options;
    await using boundary = await openDirectory(directory);
    await requireReadable(boundary, directory);
    for await (const project of this.#visit(boundary)) {
      this.#isFull = this.#progress.projects === most;
      if (this.#isFull) break;
      this.#progress.projects += 1;
      yield project;
    }
    this.#progress.report();
  }

  async *#visit(boundary: Boundary): AsyncGenerator<FoundProject> {
    const { markers = [] } = this.#options;
    const isMarker = createMarkerTest(markers);
    const visitor = await ProjectVisitor.start(boundary, this.#options);
    this.#walk = boundary.walk('.', { ...this.#bounds(), choose: this.#chooser(isMarker) });
    for await (const { prefix, entries } of directoriesOf(this.#walk)) {
      const found = entries.filter(({ name, kind }) => isMarker(name, kind));
      this.#progress.directories += entries.length - found.length;
      this.#progress.at = prefix.slice(0, -1) || '.';
      const project = await visitor.visit(prefix, found);
      if (project !== undefined) yield project;
      this.#progress.tick();
    }
  }

  #bounds(): WalkOptions {
    const { gitignore = true, depth = 8, entries = 1_000_000, milliseconds = 30_000, signal } = this.#options;
    return { gitignore, depth, entries, milliseconds, ...(signal === undefined ? {} : { signal }) };
  }

  #chooser(isMarker: MarkerTest): (name: string, kind: EntryKind) => WalkChoice {
    const pruned = new Set(this.#options.prune ?? prunedDirectories);
    const progress = this.#progress;
    return (name, kind) => {
      progress.entries += 1;
      if (isMarker(name, kind)) return 'show';
      return kind === 'directory' && !pruned.has(name) ? 'enter' : 'skip';
    };
  }
}

async function openDirectory(directory: string): Promise<Boundary> {
  // Nothing is granted by a look, so any level will do.
  const boundary = await openBoundary(directory, { requireLevel: 'verified' });
  if (boundary.kind === 'directory') return boundary;
  await boundary.close();
  throw new RootwardError('NOT_A_DIRECTORY', { verb: 'search', path: directory });
}

/** A walk passes over what it cannot read, and here that would be everything. */
async function requireReadable(boundary: Boundary, directory: string): Promise<void> {
  try {
    await boundary.list('.', { limit: 0 });
  } catch (error) {
    if (!RootwardError.is(error, 'NO_PERMISSION')) throw error;
    throw new RootwardError('NO_PERMISSION', { verb: 'search', path: directory }, { cause: error });
  }
}

type MarkerTest = (name: string, kind: EntryKind) => boolean;

/** Whether an entry may be a marker. What a link leads to is found out later, and only for those. */
function createMarkerTest(product: readonly string[]): MarkerTest {
  const own = new Set(product);
  return (name, kind) => {
    const marker = matchMarker(name);
    if (marker === undefined) return own.has(name);
    return (
      marker.shape === 'either' ||
      marker.shape === kind ||
      kind === 'link' ||
      kind === 'unknown' ||
      own.has(name)
    );
  };
}

/** How far a search has come. */
export interface FindProgress {
  /** Directories seen. */
  readonly directories: number;
  /** Names looked at. */
  readonly entries: number;
  readonly projects: number;
  /** The directory it is at, from where it began and with `/` between names; `.` for that one itself. */
  readonly at: string;
}

export interface ProgressOptions {
  /** Told now and then how far the search has come, and once at its end. */
  readonly onProgress?: (progress: FindProgress) => void;
  /** How many milliseconds lie between two calls at least; 100 by default. */
  readonly progressMilliseconds?: number;
}

/** Counts, and reports not too often. */
export class ProgressReport implements FindProgress {
  readonly #options: ProgressOptions;
  #reported: number = performance.now();
  directories = 1;
  entries = 0;
  projects = 0;
  at = '.';

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Reports if it is time to. */
  tick(): void {
    const { progressMilliseconds = 100 } = this.#options;
    if (performance.now() - this.#reported >= progressMilliseconds) this.report();
  }

  report(): void {
    const { directories, entries, projects, at } = this;
    this.#options.onProgress?.({ directories, entries, projects, at });
    this.#reported = performance.now();
  }
}
