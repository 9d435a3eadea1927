import type { ListedEntry } from '../../boundary/read/list.ts';
import type { WalkChoice } from '../../boundary/read/walk.ts';
import type { EntryKind } from '../../boundary/system/file-info.ts';
import { RootwardError } from '../../errors.ts';
import { matchMarker } from '../../workspace/ecosystems/markers.ts';
import { ProjectVisitor } from '../../workspace/project/project-visitor.ts';
import type { FoundProject } from '../../workspace/project/project.ts';
import { directoriesOf, prunedDirectories } from '../../workspace/project/pruned-directories.ts';
import type { Location } from '../../workspace/workspace.ts';
import type { SearchStart } from '../tool/search-start.ts';
import type { ProgressTicker } from '../tool/tool-call.ts';
import type { ToolCall } from '../tool/tool.ts';
import { languageOf } from './project-languages.ts';

export interface SurveyOptions {
  /** Maximum number of projects. */
  readonly projects: number;
  /** When to stop, in terms of `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly tick: ProgressTicker;
}

/** A project, and the content of its directory. */
export interface SurveyedProject extends FoundProject {
  /** Path from the root with a trailing slash; empty for the root. */
  readonly prefix: string;
  /** Names of files and directories in it, without ignored ones that are not markers. */
  readonly names: readonly string[];
  /** Number of files per language, without those of nested projects. */
  readonly languages: ReadonlyMap<string, number>;
}

export interface ProjectSurvey {
  readonly projects: readonly SurveyedProject[];
  /** Number of files seen. */
  readonly files: number;
  readonly languages: ReadonlyMap<string, number>;
  /** Whether everything was searched. */
  readonly complete: boolean;
  /** Messages about unreadable manifests. */
  readonly issues: readonly string[];
}

/** Limits far above any real project. */
const bounds = { entries: 200_000, milliseconds: 10_000, depth: 16, gitignore: true } as const;

/** Maximum number of issues to report. */
const mostIssues = 50;

/** Walks a tree once and finds its projects and their languages. The start directory always counts as a project. */
export async function surveyProjects(start: SearchStart, options: SurveyOptions): Promise<ProjectSurvey> {
  const issues = new Set<string>();
  const visitor = await ProjectVisitor.start(start.boundary, {
    onIssue: (issue) => void (issues.size < mostIssues && issues.add(issue)),
  });
  const tally = new Tally();
  const { signal, projects: most, deadline, tick } = options;
  const milliseconds = Math.min(bounds.milliseconds, deadline - performance.now());
  const walk = start.boundary.walk(start.relative, { ...bounds, milliseconds, choose, signal });
  let isFull = false;
  for await (const { prefix, entries } of directoriesOf(walk)) {
    const project = await visitor.visit(prefix, entries.filter(isMarker));
    isFull ||= project !== undefined && tally.projects.length >= most;
    if (!isFull) tally.enter(prefix, entries, project);
    tally.count(prefix, entries);
    tick(tally.files, `${tally.files} files looked at, ${tally.projects.length} projects found`);
  }
  const complete = walk.stopped === undefined && !isFull;
  return {
    projects: tally.projects,
    files: tally.files,
    languages: tally.languages,
    complete,
    issues: [...issues],
  };
}

const pruned: ReadonlySet<string> = new Set(prunedDirectories);

function choose(name: string, kind: EntryKind): WalkChoice {
  if (isMarker({ name, kind })) return 'show';
  return kind === 'directory' && pruned.has(name) ? 'skip' : 'enter';
}

/** The target of a link is determined later. */
function isMarker({ name, kind }: ListedEntry): boolean {
  const marker = matchMarker(name);
  if (marker === undefined) return false;
  return marker.shape === 'either' || marker.shape === kind || kind === 'link' || kind === 'unknown';
}

interface CountedProject extends SurveyedProject {
  readonly languages: Map<string, number>;
}

/** The results so far. A directory is visited before its content. */
class Tally {
  readonly projects: CountedProject[] = [];
  readonly languages = new Map<string, number>();
  files = 0;

  enter(prefix: string, entries: readonly ListedEntry[], project: FoundProject | undefined): void {
    if (project === undefined) return;
    const names = entries.map(({ name }) => name);
    this.projects.push({ ...project, prefix, names, languages: new Map() });
  }

  count(prefix: string, entries: readonly ListedEntry[]): void {
    const owner = this.projects.findLast((project) => prefix.startsWith(project.prefix));
    for (const { name, kind } of entries) {
      if (kind !== 'file') continue;
      this.files += 1;
      const language = languageOf(name);
      if (language === undefined) continue;
      add(this.languages, language);
      if (owner !== undefined) add(owner.languages, language);
    }
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Looks at one directory, or at every root that is a directory. A root that cannot be read, or is a file, is skipped
 * unless all are; a path given by the caller is refused.
 */
export async function eachPlace<Found>(
  call: ToolCall,
  path: string | undefined,
  look: (location: Location) => Promise<Found>,
): Promise<readonly Found[]> {
  if (path !== undefined) return [await call.reach({ operation: 'read', path }, look)];
  const { roots } = await call.workspace();
  const found: Found[] = [];
  let refused: RootwardError | undefined;
  for (const root of roots) {
    try {
      found.push(await call.reach({ operation: 'read', path: root.path }, look));
    } catch (error) {
      if (!RootwardError.is(error)) throw error;
      refused ??= error;
    }
  }
  if (found.length === 0 && refused !== undefined) throw refused;
  return found;
}
