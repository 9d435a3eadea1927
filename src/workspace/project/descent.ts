import type { Marker } from '../ecosystems/record/ecosystem.ts';
import type { FoundMarker, FoundMarkers } from './find-markers.ts';
import type { DeclaredMembers } from './read-members.ts';
import type { Repository } from './repository.ts';

/** What a project's id needs to know about the repository around it. */
export type RepositoryIdentity = Pick<Repository, 'top' | 'identity'>;

/** A directory with markers on the way down. */
export interface DescentLevel {
  /** From where the search began, with a slash at the end; empty for that directory itself. */
  readonly prefix: string;
  readonly found: FoundMarkers;
  /** If it is the top of one. */
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

/** The way from where a search began down to the directory that it looks at: what is around it. */
export class SearchDescent {
  readonly #repository: RepositoryIdentity | undefined;
  readonly #levels: DescentLevel[] = [];

  /** The repository around everything, if there is one. */
  constructor(repository: RepositoryIdentity | undefined) {
    this.#repository = repository;
  }

  /** Goes to a directory: leaves all that do not hold it. */
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

  /** What is around the directory that it came to. */
  around(prefix: string): EnclosingFacts {
    const above = prefix.slice(0, prefix.slice(0, -1).lastIndexOf('/') + 1);
    const isStrongProject = ({ project, found }: DescentLevel): boolean =>
      project !== undefined && isStrong(found);
    return {
      above: prefix === '' ? undefined : this.#levels.find((level) => level.prefix === above)?.found,
      isWithin: this.#repository !== undefined || this.#levels.some(isStrongProject),
    };
  }

  /** Its parent is the nearest project that declares it, or else the nearest one. */
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

/** A directory without a package.json is no package of npm. An editor takes every folder. */
function isOfOneKind({ kind, ecosystem }: Marker, known: readonly FoundMarker[]): boolean {
  return kind === 'editor' || known.some(({ marker }) => marker.ecosystem === ecosystem);
}

/** What is around a directory. */
export interface EnclosingFacts {
  /** What the directory right above it holds. */
  readonly above: FoundMarkers | undefined;
  /** Whether it lies in a repository, or in a project that more than a weak marker reveals. */
  readonly isWithin: boolean;
}

/**
 * Whether what a directory holds makes it a project of its own. The same rules as upward: weak markers count
 * only where nothing better is around, and markers that repeat only at the top of their chain.
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
