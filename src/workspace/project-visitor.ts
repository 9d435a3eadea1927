import { basename, join } from 'node:path';
import type { Boundary } from '../boundary/boundary.ts';
import type { ListedEntry } from '../boundary/list.ts';
import { type DescribeOptions, findName, markerNames } from './describe-finding.ts';
import { type FoundMarker, type FoundMarkers, sortMarkers } from './find-markers.ts';
import type { FoundProject } from './found-project.ts';
import { readOnce } from './manifest/read-once.ts';
import { type DeclaredMembers, readMembers } from './monorepo/read-members.ts';
import { realPathOf } from './open-place.ts';
import { createProjectId } from './project-id.ts';
import type { ProjectKind } from './project.ts';
import { detectEnclosingRepository, detectRepository } from './repository.ts';
import { revealsProject } from './reveals-project.ts';
import { type RepositoryIdentity, SearchTrail } from './search-trail.ts';

export interface VisitOptions extends DescribeOptions {
  /** The product's own markers. */
  readonly markers?: readonly string[];
}

/** Says of each directory of a walk whether it is a project. Directories come before what is in them. */
export class ProjectVisitor {
  readonly #boundary: Boundary;
  readonly #options: VisitOptions;
  readonly #trail: SearchTrail;

  private constructor(boundary: Boundary, options: VisitOptions, trail: SearchTrail) {
    this.#boundary = boundary;
    this.#options = options;
    this.#trail = trail;
  }

  static async start(boundary: Boundary, options: VisitOptions): Promise<ProjectVisitor> {
    const repository = await detectEnclosingRepository(realPathOf(boundary));
    return new ProjectVisitor(boundary, options, new SearchTrail(repository));
  }

  /** The project that a directory is, by those of its entries that may be markers. */
  async visit(prefix: string, entries: readonly ListedEntry[]): Promise<FoundProject | undefined> {
    if (entries.length === 0) return undefined;
    const real = join(realPathOf(this.#boundary), prefix);
    const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const found = await sortMarkers(real, sorted, this.#options.markers ?? []);
    this.#trail.moveTo(prefix);
  }
}
