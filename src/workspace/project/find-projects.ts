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
  /** Does not enter directories that `.gitignore` files ignore; the default. */
  readonly gitignore?: boolean;
  /** Greatest depth in directories; 8 by default. */
  readonly depth?: number;
  /** Most names to check; a million by default. */
  readonly entries?: number;
  /** Most projects to find; 10,000 by default. */
  readonly projects?: number;
  /** Time limit, including the caller's time between two projects; 30,000 by default. */
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

/** The projects of a directory, in the order in which they are found. Can be iterated once. */
export interface ProjectSearch extends AsyncIterable<FoundProject> {
  /** The limit that ended it early, or left something out; `undefined` if it saw everything. */
  readonly stopped: Walk['stopped'] | 'projects';
  /** The number of directories that could not be read. */
  readonly skipped: number;
}

/**
 * Finds every project in a directory, including the directory itself: repositories, directories with a
 * manifest, packages of monorepos, VS Code workspaces. Yields each as soon as it is known, before those
 * within it.
 *
 * The rules of `detectProject` apply: a `Makefile` or an editor's file counts only where nothing better is
 * around. A package within a repository is a project with a `parent`, and a `member` if the parent declares
 * it: `workspaces` of npm, Yarn and Bun, pnpm-workspace.yaml, Deno, Cargo, go.work, uv, Maven, folders of a
 * VS Code workspace, and as a best effort Gradle.
 *
 * Links are never followed on the way down. Unreadable directories are counted, and unreadable manifests are
 * reported to `onIssue`; neither ends the search. A marker counts even if `.gitignore` ignores it: only
 * directories are skipped.
 *
 * @throws {RootwardError} `INVALID_MARKER` at once for a marker that is not one name; when it begins,
 * `NOT_FOUND`, `NOT_A_DIRECTORY`, `NO_PERMISSION`
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

/** The same in a directory that is open already, under the rules of its boundary. The caller closes it. */
export function findProjectsIn(boundary: Boundary, options: FindProjectsOptions = {}): ProjectSearch {
  return new DownwardSearch(boundary, options);
}

class DownwardSearch implements ProjectSearch {
  readonly #options: FindProjectsOptions;
  readonly #progress: ProgressReport;
  readonly #projects: AsyncGenerator<FoundProject>;
  #walk: Walk | undefined;
  #isFull = false;

  constructor(start: string | Boundary, options: FindProjectsOptions) {
    this.#options = options;
    this.#progress = new ProgressReport(options);
    this.#projects = typeof start === 'string' ? this.#find(start) : this.#report(start);
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
    await using boundary = await openDirectory(directory);
    await requireReadable(boundary, directory);
    yield* this.#report(boundary);
  }

  async *#report(boundary: Boundary): AsyncGenerator<FoundProject> {
    const { projects: most = 10_000 } = this.#options;
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
  // Any level suffices, because looking grants nothing.
  const boundary = await openBoundary(directory, { requireLevel: 'verified' });
  if (boundary.kind === 'directory') return boundary;
  await boundary.close();
  throw new RootwardError('NOT_A_DIRECTORY', { verb: 'search', path: directory });
}

/** A walk skips unreadable directories, which here would be everything. */
async function requireReadable(boundary: Boundary, directory: string): Promise<void> {
  try {
    await boundary.list('.', { limit: 0 });
  } catch (error) {
    if (!RootwardError.is(error, 'NO_PERMISSION')) throw error;
    throw new RootwardError('NO_PERMISSION', { verb: 'search', path: directory }, { cause: error });
  }
}

type MarkerTest = (name: string, kind: EntryKind) => boolean;

/** Whether an entry may be a marker. Links of such names are followed later. */
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

/** The progress of a search. */
export interface FindProgress {
  /** Directories seen. */
  readonly directories: number;
  /** Names checked. */
  readonly entries: number;
  readonly projects: number;
  /** The current directory from the start, with `/` between names; `.` for the start itself. */
  readonly at: string;
}

export interface ProgressOptions {
  /** Called at intervals with the progress of the search, and once at its end. */
  readonly onProgress?: (progress: FindProgress) => void;
  /** Shortest interval in milliseconds; 100 by default. */
  readonly progressMilliseconds?: number;
}

/** Counts, and limits how often it reports. */
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

  /** Reports if the interval has passed. */
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
