import { lookAt } from '../../boundary/look/look-at.ts';
import type { Walk } from '../../boundary/read/walk.ts';
import { toFileUri } from '../../path/file-uri.ts';
import type { MachinePlaces } from '../../workspace/chain/danger.ts';
import { describeProject } from '../../workspace/project/describe-project.ts';
import {
  type FindProgress,
  findProjects,
  type FindProjectsOptions,
  type ProjectSearch,
} from '../../workspace/project/find-projects.ts';
import type { FoundProject, Project } from '../../workspace/project/project.ts';
import {
  type Candidate,
  type CandidateFacts,
  rankCandidates,
  reasonsFor,
  scoreCandidate,
} from './candidate.ts';
import { createDiscoverGuard, type DiscoverGuard } from './discover-guard.ts';
import {
  readRecentFolders,
  readWorkspaceFolders,
  type RecentFolder,
  type RecentOptions,
} from './recent-folders.ts';

/** Progress of a search. */
export interface DiscoverProgress extends Omit<FindProgress, 'projects'> {
  readonly candidates: number;
}

export interface DiscoverOptions extends Omit<FindProjectsOptions, 'projects' | 'onProgress'> {
  /** Also propose the folders that editors had open, wherever they are; `false` leaves them out. */
  readonly recent?: Omit<RecentOptions, 'signal'> | false;
  /** Maximum number of candidates; 1,000 by default. */
  readonly candidates?: number;
  /** `rank`, the default: the best first, once all are known. `found`: each one as soon as it is found. */
  readonly order?: 'rank' | 'found';
  /** Called now and then with the progress, and once at the end. */
  readonly onProgress?: (progress: DiscoverProgress) => void;
  /** Home directory and the like; those of this machine by default. */
  readonly around?: Partial<MachinePlaces>;
  readonly now?: () => Date;
}

/** A search for directories that could be roots. Iterate it once. */
export interface CandidateSearch extends AsyncIterable<Candidate> {
  /** The limit that ended the search early or left something out; `undefined` if it saw everything. */
  readonly stopped: Walk['stopped'] | 'candidates';
  /** Number of directories that could not be read. */
  readonly skipped: number;
}

/**
 * Proposes roots: repositories, directories with a project file, packages of monorepos, VS Code workspaces and their
 * folders, and folders that editors had open. Each candidate has a score and the reasons that add up to it, from the
 * table `candidateReasons`. The search grants nothing, and reads only names and project files.
 *
 * Home, or a directory like `/srv`, may be searched, but is not a candidate itself. Sensitive places are never
 * proposed.
 *
 * @throws {RootwardError} on the first iteration: `TOO_BROAD` for `/`, system directories and the like, and the errors
 * of `findProjects`
 * @example
 * ```ts
 * const search = discover(process.cwd(), { depth: 0, recent: false });
 * const found = [];
 * for await (const candidate of search) found.push(candidate);
 * found[0].root.name // → 'rootward'
 * found[0].reasons.map(({ code, points }) => `${code} ${points}`) // → ['repository 40', 'manifest 30', 'start 10']
 * found[0].score // → 80
 * await discover('/')[Symbol.asyncIterator]().next() // throws TOO_BROAD
 * ```
 */
export function discover(directory: string, options: DiscoverOptions = {}): CandidateSearch {
  return new Discovery(directory, options);
}

const defaultCandidates = 1_000;

class Discovery implements CandidateSearch {
  readonly #directory: string;
  readonly #options: DiscoverOptions;
  readonly #now: Date;
  /** Folders that editors had open, by real path. */
  readonly #recent = new Map<string, RecentFolder>();
  /** Names of the VS Code workspaces that list a folder, by its real path. */
  readonly #named = new Map<string, string>();
  readonly #taken = new Set<string>();
  #search: ProjectSearch | undefined;
  readonly #deadline: number;
  #isFull = false;
  #isLate = false;
  #count = 0;
  #progress: FindProgress = { directories: 0, entries: 0, projects: 0, at: '.' };

  constructor(directory: string, options: DiscoverOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#now = options.now?.() ?? new Date();
    this.#deadline = performance.now() + (options.milliseconds ?? 30_000);
  }

  get stopped(): CandidateSearch['stopped'] {
    const stopped = this.#isLate ? 'time' : this.#search?.stopped;
    return this.#isFull || stopped === 'projects' ? 'candidates' : stopped;
  }

  get skipped(): number {
    return this.#search?.skipped ?? 0;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Candidate> {
    const { order = 'rank' } = this.#options;
    const all: CandidatePlace[] = [];
    for await (const place of this.#bounded()) {
      if (order === 'rank') all.push(place);
      else yield this.#describe(place);
    }
    // All reasons for each candidate are known only now.
    yield* rankCandidates(all.map((place) => this.#describe(place)));
  }

  async *#bounded(): AsyncGenerator<CandidatePlace> {
    const { candidates: most = defaultCandidates } = this.#options;
    for await (const place of this.#find()) {
      this.#isFull = this.#count === most;
      if (this.#isFull) break;
      this.#count += 1;
      yield place;
    }
    this.#report();
  }

  async *#find(): AsyncGenerator<CandidatePlace> {
    const guard = await createDiscoverGuard(this.#options.around);
    await guard.requireSearchable(this.#directory);
    await this.#readRecent();
    this.#search = findProjects(this.#directory, this.#searchOptions());
    for await (const project of this.#search) {
      await this.#readNamed(project);
      yield* this.#take(project.location, guard, project);
    }
    for (const path of [...this.#recent.keys(), ...this.#named.keys()]) {
      if (this.#isOver()) return;
      yield* this.#take(path, guard);
    }
  }

  #searchOptions(): FindProjectsOptions {
    const { candidates = defaultCandidates } = this.#options;
    return {
      ...this.#options,
      projects: candidates + 1,
      milliseconds: Math.max(0, this.#deadline - performance.now()),
      onProgress: (progress) => {
        this.#progress = progress;
        this.#report();
      },
    };
  }

  #report(): void {
    const { directories, entries, at } = this.#progress;
    this.#options.onProgress?.({ directories, entries, at, candidates: this.#count });
  }

  async #readRecent(): Promise<void> {
    const { recent, signal } = this.#options;
    if (recent === false) return;
    for (const folder of await readRecentFolders({ ...recent, signal })) {
      if (this.#isOver()) return;
      const real = await realDirectory(folder.path);
      // The latest use comes first.
      if (real !== undefined && !this.#recent.has(real)) this.#recent.set(real, folder);
    }
  }

  /** Stops at the deadline: folders may be on an unreachable network, where each look takes long. */
  #isOver(): boolean {
    this.#options.signal?.throwIfAborted();
    this.#isLate ||= performance.now() > this.#deadline;
    return this.#isLate;
  }

  /** Reads the folders that the workspace files of a project list. */
  async #readNamed({ location, markers }: Project): Promise<void> {
    for (const file of markers.filter((name) => name.endsWith('.code-workspace'))) {
      for (const folder of await readWorkspaceFolders(location, file)) {
        const real = await realDirectory(folder);
        if (real !== undefined && real !== location) this.#named.set(real, file.replace(/\.[^.]*$/, ''));
      }
    }
  }

  async *#take(path: string, guard: DiscoverGuard, found?: FoundProject): AsyncGenerator<CandidatePlace> {
    const real = await realDirectory(path);
    if (real === undefined || this.#taken.has(real) || !guard.mayPropose(real)) return;
    this.#taken.add(real);
    if (found === undefined) yield { real, project: await describeProject(real) };
    else yield { real, project: found, found };
  }

  #describe({ real, project, found }: CandidatePlace): Candidate {
    const { name, location, kind, markers } = project;
    const recent = this.#recent.get(real);
    const workspace = this.#named.get(real);
    const facts: CandidateFacts = {
      kind,
      markers,
      ...(found === undefined ? {} : { found }),
      ...(recent === undefined ? {} : { recent }),
      ...(workspace === undefined ? {} : { workspace }),
    };
    const root = { uri: toFileUri(location), path: location, name, kind: 'directory' } as const;
    const around = found?.parent === undefined ? {} : { parent: found.parent };
    const opened = recent === undefined ? {} : { opened: recent.opened };
    return scoreCandidate({ root, kind, markers, ...around, ...opened }, reasonsFor(facts, this.#now));
  }
}

/** A directory that may be proposed. */
interface CandidatePlace {
  readonly real: string;
  readonly project: Project;
  /** Set if the search found it. */
  readonly found?: FoundProject;
}

/** Returns the real path of a directory; `undefined` if there is none or the disk does not answer. */
async function realDirectory(path: string): Promise<string | undefined> {
  const look = await lookAt(path, { milliseconds: 2_000 });
  return 'refused' in look || look.kind !== 'directory' ? undefined : look.real;
}
