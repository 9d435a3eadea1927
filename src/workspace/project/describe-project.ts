import { basename } from 'node:path';
import type { Guard } from '../../boundary/step/context.ts';
import { readManifest, type ReadManifest } from '../ecosystems/manifest/read-manifest.ts';
import { findMarkers, type FoundMarker, type FoundMarkers } from './find-markers.ts';
import { openPlace, realPathOf } from './open-place.ts';
import { createProjectId } from './project-id.ts';
import type { Project, ProjectKind } from './project.ts';
import { findProjectName } from './read-project-name.ts';
import { detectEnclosingRepository } from './repository.ts';

/** Describes a named directory as a project, whether or not markers reveal one. */
export async function describeProject(
  directory: string,
  product: readonly string[] = [],
  guard?: Guard,
): Promise<Project> {
  await using boundary = await openPlace(directory);
  if (boundary?.kind !== 'directory') return describeByText(directory);
  const found =
    guard === undefined
      ? await findMarkers(boundary, { product })
      : await findMarkers(boundary.guarded(guard), { product, within: true });
  const finding = { directory: realPathOf(boundary), found, ...judge(found) };
  return await describeFinding(finding, directory, guard === undefined ? {} : { guard });
}

function judge({ product, known: [best] }: FoundMarkers): Pick<ProjectFinding, 'kind' | 'decider'> {
  if (product.length > 0) return { kind: 'marker' };
  return best === undefined ? { kind: 'directory' } : { kind: best.marker.kind, decider: best };
}

/** A directory that was found to be a project, before it is described. */
export interface ProjectFinding {
  /** The real path. */
  readonly directory: string;
  readonly kind: ProjectKind;
  readonly found: FoundMarkers;
  /** The deciding marker, if it is in the table. */
  readonly decider?: FoundMarker;
}

export interface DescribeOptions {
  /** Called for each manifest that cannot be read, with one sentence. */
  readonly onIssue?: (issue: string) => void;
  /** Called before a manifest is read; names are relative to the directory. */
  readonly guard?: Guard;
}

/** Limits, because a directory may contain thousands. */
const mostMarkers = 32;
const mostManifests = 8;

/** Describes a finding as a project, under the location that the caller uses. */
export async function describeFinding(
  finding: ProjectFinding,
  location: string,
  options: DescribeOptions,
): Promise<Project> {
  const { directory, kind } = finding;
  const repository = await detectEnclosingRepository(directory);
  return {
    name: (await findOwnName(finding, options)) ?? (basename(location) || location),
    location,
    id: createProjectId(directory, repository),
    kind,
    markers: markerNames(finding),
  };
}

async function findOwnName(
  { directory, found }: ProjectFinding,
  options: DescribeOptions,
): Promise<string | undefined> {
  await using place = await openPlace(directory);
  if (place === undefined) return undefined;
  const boundary = options.guard === undefined ? place : place.guarded(options.guard);
  return await findName(found, (file, format) => readManifest(boundary, file, format), options);
}

/** Reads the name from the best manifest that has one. */
export async function findName(
  { known }: FoundMarkers,
  read: ReadManifest,
  { onIssue }: DescribeOptions,
): Promise<string | undefined> {
  const manifests = known.filter(({ marker }) => marker.name !== undefined).slice(0, mostManifests);
  for (const manifest of manifests) {
    const { name, issue } = await findProjectName(manifest.name, read);
    if (name !== undefined) return name;
    if (issue !== undefined) onIssue?.(issue);
  }
  return undefined;
}

/** Lists the names of markers, the deciding one first. */
export function markerNames({
  found,
  decider,
}: Pick<ProjectFinding, 'found' | 'decider'>): readonly string[] {
  const first = decider === undefined ? found.product : [decider.name, ...found.product];
  return [...new Set([...first, ...found.known.map(({ name }) => name)])].slice(0, mostMarkers);
}

/** Describes a place without using the disk: its last name, and no markers. */
export function describeByText(location: string): Project {
  const name = location.split(/[\\/]/).findLast((text) => text !== '') ?? location;
  return { name, location, id: createProjectId(location), kind: 'directory', markers: [] };
}
