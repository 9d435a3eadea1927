import type { Marker } from '../ecosystems/record/ecosystem.ts';
import type { FoundMarker, FoundMarkers } from './find-markers.ts';
import type { DeclaredMembers } from './read-members.ts';
import type { Repository } from './repository.ts';

/** The part of a repository that a project id depends on. */
export type RepositoryIdentity = Pick<Repository, 'top' | 'identity'>;

/** A directory with markers on the way down. */
export interface DescentLevel {
  /** Path from the start of the search, with a slash at the end; empty for the start itself. */
  readonly prefix: string;
  readonly found: FoundMarkers;
  /** Set if the directory is the top of a repository. */
  readonly repository?: RepositoryIdentity | undefined;
  readonly project?: EnclosingProject;
}

export interface EnclosingProject {
  readonly location: string;
  readonly declared: readonly DeclaredMembers[];
}

/** How a project relates to those around it. */
export interface ProjectRelation {
  readonly parent?: string;
  readonly member: boolean;
}

/** The directories from the start of a search down to the current one. */
export class SearchDescent {
  readonly #repository: RepositoryIdentity | undefined;
  readonly #levels: DescentLevel[] = [];

  /** `repository` is the one around the start, if any. */
  constructor(repository: RepositoryIdentity | undefined) {
    this.#repository = repository;
  }

  /** Moves to a directory, and leaves all levels that do not contain it. */
  moveTo(prefix: string): void {
    while (!prefix.startsWith(this.#levels.at(-1)?.prefix ?? '')) this.#levels.pop();
  }

  push(level: DescentLevel): void {
    this.#levels.push(level);
  }

  get repository(): RepositoryIdentity | undefined {
    return (
      this.#levels.findLast(({ repository }) => repository !== undefined)?.repository ?? this.#repository
    );
  }

  /** Describes the surroundings of a directory. */
  around(prefix: string): EnclosingFacts {
    const above = prefix.slice(0, prefix.slice(0, -1).lastIndexOf('/') + 1);
    const isStrongProject = ({ project, found }: DescentLevel): boolean =>
      project !== undefined && isStrong(found);
    return {
      above: prefix === '' ? undefined : this.#levels.find((level) => level.prefix === above)?.found,
      isWithin: this.#repository !== undefined || this.#levels.some(isStrongProject),
    };
  }

  /** The parent is the nearest project that declares it, or else the nearest one. */
  relate(prefix: string, found: FoundMarkers): ProjectRelation {
    const declarer = this.#levels.findLast((level) => declares(level, prefix, found));
    const parent = declarer ?? this.#levels.findLast(({ project }) => project !== undefined);
    const member = declarer !== undefined;
    return parent?.project === undefined ? { member } : { parent: parent.project.location, member };
  }
}

function declares({ prefix: base, project }: DescentLevel, prefix: string, { known }: FoundMarkers): boolean {
  const relative = prefix.slice(base.length, -1);
  return (project?.declared ?? []).some(
    (members) => isOfOneKind(members.marker, known) && members.has(relative),
  );
}

/**
 * A member must be of the same ecosystem: a directory without a package.json is not an npm package. Editor
 * workspaces accept any directory.
 */
function isOfOneKind({ kind, ecosystem }: Marker, known: readonly FoundMarker[]): boolean {
  return kind === 'editor' || known.some(({ marker }) => marker.ecosystem === ecosystem);
}

/** The surroundings of a directory. */
export interface EnclosingFacts {
  /** The markers of its parent directory. */
  readonly above: FoundMarkers | undefined;
  /** Whether it lies in a repository, or in a project with more than a weak marker. */
  readonly isWithin: boolean;
}

/**
 * Whether the markers of a directory make it a project of its own. Follows the rules of the upward search:
 * weak markers count only where nothing better is around, and repeating markers only at the top of their
 * chain.
 */
export function revealsProject(
  { product, known }: FoundMarkers,
  { above, isWithin }: EnclosingFacts,
): boolean {
  if (product.length > 0 || known.some(({ marker }) => marker.kind === 'repository')) return true;
  const manifest = known.find(({ marker }) => marker.kind === 'manifest' && !marker.weak);
  if (manifest !== undefined && !continues(manifest, above)) return true;
  const weak = known.find(({ marker }) => marker.weak);
  return weak !== undefined && !isWithin && !continues(weak, above);
}

/** Whether more than a weak marker reveals it. */
export function isStrong({ product, known }: FoundMarkers): boolean {
  return product.length > 0 || known.some(({ marker }) => !marker.weak);
}

function continues(
  { marker: { repeats, ecosystem } }: FoundMarker,
  above: FoundMarkers | undefined,
): boolean {
  const isSame = (marker: Marker): boolean => marker.repeats && marker.ecosystem === ecosystem;
  return repeats && above !== undefined && above.known.some(({ marker }) => isSame(marker));
}
