import type { ListedEntry } from '../../boundary/read/list.ts';
import type { WalkChoice } from '../../boundary/read/walk.ts';
import type { EntryKind } from '../../boundary/system/file-info.ts';
import { RootwardError } from '../../errors.ts';
import { matchMarker } from '../../workspace/ecosystems/markers.ts';
import { ProjectVisitor } from '../../workspace/project/project-visitor.ts';
import type { FoundProject } from '../../workspace/project/project.ts';
import { directoriesOf, prunedDirectories } from '../../workspace/project/pruned-directories.ts';
import type { Location } from '../../workspace/workspace.ts';
import { reach, type SearchStart, type ProgressTicker } from '../tool/tool-call.ts';
import type { ToolCall } from '../tool/tool.ts';
import { languageOf } from './project-languages.ts';

export interface SurveyOptions {
  /** How many projects to describe. */
  readonly projects: number;
  /** When to stop, on the clock of `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly tick: ProgressTicker;
}

/** A project, and what its own directory holds. */
export interface SurveyedProject extends FoundProject {
  /** From the root, with a slash at the end; empty for the root. */
  readonly prefix: string;
  /** Names of files and directories in it, without what `.gitignore` leaves out unless it is a marker. */
  readonly names: readonly string[];
  /** Files of each language, without those of projects within it. */
  readonly languages: ReadonlyMap<string, number>;
}

export interface ProjectSurvey {
  readonly projects: readonly SurveyedProject[];
  /** Files that were seen. */
  readonly files: number;
  readonly languages: ReadonlyMap<string, number>;
  /** Whether everything was looked at. */
  readonly complete: boolean;
  /** Manifests that cannot be read, a sentence each. */
  readonly issues: readonly string[];
}

/** Far more than any project has, and little enough to end. */
const bounds = { entries: 200_000, milliseconds: 10_000, depth: 16, gitignore: true } as const;

/** More than these are of no help. */
const mostIssues = 50;

/**
 * Goes once through a tree: which projects are in it, and in which languages they are written. The directory
 * that it begins in is always one of them, whatever marks it.
 */
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

/** What a link leads to is found out later. */
function isMarker({ name, kind }: ListedEntry): boolean {
  const marker = matchMarker(name);
  if (marker === undefined) return false;
  return marker.shape === 'either' || marker.shape === kind || kind === 'link' || kind === 'unknown';
}

interface CountedProject extends SurveyedProject {
  readonly languages: Map<string, number>;
}

/** What was seen so far. Directories come before what is in them. */
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
 * Looks at one directory, or at every root that is one. A root that may not be looked at, or is one file, is
 * left out, unless nothing else is there; a path that somebody named is refused.
 */
export async function eachPlace<Found>(
  call: ToolCall,
  path: string | undefined,
  look: (location: Location) => Promise<Found>,
): Promise<readonly Found[]> {
  if (path !== undefined) return [await reach(call, { operation: 'read', path }, look)];
  const { roots } = await call.workspace();
  const found: Found[] = [];
  let refused: RootwardError | undefined;
  for (const root of roots) {
    try {
      found.push(await reach(call, { operation: 'read', path: root.path }, look));
    } catch (error) {
      if (!RootwardError.is(error)) throw error;
      refused ??= error;
    }
  }
  if (found.length === 0 && refused !== undefined) throw refused;
  return found;
}
