/**
 * How a project was recognised: by the product's own marker, version control, a manifest, or an editor's
 * file. A `directory` was named explicitly and has no markers.
 */
export type ProjectKind = 'marker' | 'repository' | 'manifest' | 'editor' | 'directory';

/** A directory that people work in as one unit. */
export interface Project {
  /** From its manifest if it has a name, otherwise the last name of its path. */
  readonly name: string;
  /** The path of this tree: absolute, in native form. Two worktrees of one repository have two. */
  readonly location: string;
  /** Identifies the project: the same in every worktree, different for two directories of one name. */
  readonly id: string;
  readonly kind: ProjectKind;
  /** Names of the files that revealed it, the deciding one first. */
  readonly markers: readonly string[];
}

/** A project, and its place among the others that were found with it. */
export interface FoundProject extends Project {
  /** Number of directories below the searched one; 0 for that one itself. */
  readonly depth: number;
  /** Location of the project that declares it as a package, or else of the nearest one around it. */
  readonly parent?: string;
  /** Whether its parent declares it as a package. Best effort for Gradle, whose declarations are programs. */
  readonly member: boolean;
}
