import { basename, join } from 'node:path';
import { isRelative } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import { realDisk } from '../../workspace/chain/real-disk.ts';
import type { Project } from '../../workspace/project/project.ts';
import { diskUnderRules, rootsUnderRules } from '../compose/disk-under-rules.ts';
import type { Composition } from '../compose/composition.ts';
import type { Settings } from '../settings/settings.ts';

/** Where a text is looked up. */
export interface PlaceSearch {
  readonly composition: Composition;
  readonly settings: Settings;
  /** The directory that relative paths start at; the project by default. */
  readonly from?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The place that a text means; `several` if it is the name of more than one. */
export type FoundPlace = { readonly path: string } | { readonly several: readonly string[] } | undefined;

/**
 * Finds the directory that a caller means: by a path, by the name of a root or project as `why` shows it, or by the
 * name of a project somewhere in the roots. Looks at nothing outside of the roots, and at nothing that is denied.
 */
export async function findNamedPlace(text: string, search: PlaceSearch): Promise<FoundPlace> {
  const path = expandHome(text);
  if (!isRelative(path)) return { path };
  const { open, workspace } = search.composition;
  const { name, location } = workspace?.project ?? {};
  if (name === text && location !== undefined && search.from === undefined) return { path: location };
  const tops = open.roots.filter(({ boundary }) => boundary.kind === 'directory').map(({ root }) => root);
  const root = tops.find((one) => one.name === text) ?? tops.find((one) => basename(one.path) === text);
  if (root !== undefined && search.from === undefined) return { path: root.path };
  const bases = [search.from, location, ...tops.map((one) => one.path)].filter((base) => base !== undefined);
  for (const base of bases) {
    const place = join(base, path);
    if (await isDirectory(place, search)) return { path: place };
  }
  return byName(text, await findNested(search));
}

/** Whether a directory is there, within the roots and by their rules. */
async function isDirectory(place: string, { composition, settings }: PlaceSearch): Promise<boolean> {
  const { open: workspace, policy } = composition;
  const location = workspace.locate(place);
  if (location === undefined) return false;
  const disk = diskUnderRules(settings.resolve.disk ?? realDisk, { workspace, policy });
  const seen = await disk.lookWithin?.(location.root.path, location.relative);
  return seen !== undefined && seen !== 'outside' && seen.kind === 'directory';
}

function byName(text: string, projects: readonly Project[]): FoundPlace {
  const named = projects.filter(({ name }) => name === text);
  const found = named.length > 0 ? named : projects.filter(({ location }) => basename(location) === text);
  const [first, ...others] = found.map(({ location }) => location);
  if (first === undefined) return undefined;
  return others.length === 0 ? { path: first } : { several: [first, ...others] };
}

/** Limits of a search for a name, which a caller waits for. */
const bounds = { depth: 4, entries: 50_000, projects: 200, milliseconds: 2_000 } as const;

/** The projects in the roots, the roots themselves included, as far as the rules let them be seen. */
async function findNested({ composition, signal }: PlaceSearch): Promise<readonly Project[]> {
  const { findProjectsIn } = await import('../../workspace/project/find-projects.ts');
  const { open: workspace, policy } = composition;
  const found = new Map<string, Project>();
  for (const boundary of rootsUnderRules({ workspace, policy })) {
    const projects = findProjectsIn(boundary, { ...bounds, ...(signal && { signal }) });
    for await (const project of projects) found.set(project.location, project);
  }
  return [...found.values()];
}

/** Limit of names in an answer. */
const mostNames = 20;

/** The names by which `findNamedPlace` finds something: those of the roots, and of the projects in them. */
export async function findNames(search: PlaceSearch): Promise<readonly string[]> {
  const roots = search.composition.open.roots.map(({ root }) => root.name);
  const projects = (await findNested(search)).map(({ name }) => name);
  return [...new Set([...roots, ...projects])].slice(0, mostNames);
}
