import { basename, join } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import type { ListedEntry } from '../../boundary/read/list.ts';
import { readOnce } from '../ecosystems/manifest/read-manifest.ts';
import { SearchDescent, type RepositoryIdentity, revealsProject } from './descent.ts';
import { type DescribeOptions, findName, markerNames } from './describe-project.ts';
import { followWithin, type FoundMarkers, sortMarkers } from './find-markers.ts';
import { realPathOf } from './open-place.ts';
import { createProjectId } from './project-id.ts';
import type { FoundProject, ProjectKind } from './project.ts';
import { type DeclaredMembers, readMembers } from './read-members.ts';
import { detectEnclosingRepository, detectRepository } from './repository.ts';

export interface VisitOptions extends DescribeOptions {
  /** The product's own markers. */
  readonly markers?: readonly string[];
}

/** Decides for each directory of a walk whether it is a project. Directories come before their content. */
export class ProjectVisitor {
  readonly #boundary: Boundary;
  readonly #options: VisitOptions;
  readonly #descent: SearchDescent;

  private constructor(boundary: Boundary, options: VisitOptions, descent: SearchDescent) {
    this.#boundary = boundary;
    this.#options = options;
    this.#descent = descent;
  }

  static async start(boundary: Boundary, options: VisitOptions): Promise<ProjectVisitor> {
    const repository = await detectEnclosingRepository(realPathOf(boundary));
    return new ProjectVisitor(boundary, options, new SearchDescent(repository));
  }

  /** Returns the project of a directory, by the entries that may be markers. */
  async visit(prefix: string, entries: readonly ListedEntry[]): Promise<FoundProject | undefined> {
    if (entries.length === 0) return undefined;
    const real = join(realPathOf(this.#boundary), prefix.slice(0, -1));
    const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const follow = followWithin(this.#boundary, prefix);
    const found = await sortMarkers(follow, sorted, this.#options.markers ?? []);
    this.#descent.moveTo(prefix);
    const isProject = revealsProject(found, this.#descent.around(prefix));
    if (isProject)
      return this.#describe({ prefix, real, found, repository: await findRepository(real, sorted, found) });
    this.#descent.push({ prefix, found });
    return undefined;
  }

  async #describe({ prefix, real, found, repository }: RevealedProject): Promise<FoundProject> {
    const [spelled = real] = this.#boundary.spellings;
    const location = join(spelled, prefix.slice(0, -1));
    const { name, declared } = await this.#readManifests(prefix, location, found);
    const project: FoundProject = {
      name: name ?? (basename(location) || location),
      location,
      id: createProjectId(real, repository ?? this.#descent.repository),
      ...judge(found),
      depth: prefix.split('/').length - 1,
      ...this.#descent.relate(prefix, found),
    };
    this.#descent.push({ prefix, found, repository, project: { location, declared } });
    return project;
  }

  /** Reads each manifest once. */
  async #readManifests(prefix: string, directory: string, { known }: FoundMarkers): Promise<Manifests> {
    const reported = new Set<string>();
    const onIssue = (issue: string): void => {
      if (!reported.has(issue)) this.#options.onIssue?.(issue);
      reported.add(issue);
    };
    const manifests = known.map(({ name, marker }) => ({ name: prefix + name, marker }));
    const read = readOnce(this.#boundary);
    const name = await findName({ product: [], known: manifests }, read, { onIssue });
    return { name, declared: await readMembers(manifests, { directory, read, onIssue }) };
  }
}

interface RevealedProject {
  readonly prefix: string;
  readonly real: string;
  readonly found: FoundMarkers;
  readonly repository: RepositoryIdentity | undefined;
}

interface Manifests {
  readonly name: string | undefined;
  readonly declared: readonly DeclaredMembers[];
}

/**
 * Returns the repository whose top this is. Only a `.git` that is not a directory must be read, because it
 * leads elsewhere.
 */
async function findRepository(
  real: string,
  entries: readonly ListedEntry[],
  { known: [best] }: FoundMarkers,
): Promise<RepositoryIdentity | undefined> {
  if (best?.marker.kind !== 'repository') return undefined;
  const isDirectory = entries.some(({ name, kind }) => name === best.name && kind === 'directory');
  return isDirectory ? { top: real, identity: join(real, best.name) } : detectRepository(real);
}

function judge(found: FoundMarkers): { kind: ProjectKind; markers: readonly string[] } {
  const {
    product,
    known: [best],
  } = found;
  if (product.length > 0 || best === undefined) return { kind: 'marker', markers: markerNames({ found }) };
  return { kind: best.marker.kind, markers: markerNames({ found, decider: best }) };
}
