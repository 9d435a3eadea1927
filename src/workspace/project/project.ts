/**
 * What revealed a project: the product's own marker, version control, a manifest, or an editor's file. A
 * `directory` was named by somebody, and nothing in it reveals a project.
 */
export type ProjectKind = 'marker' | 'repository' | 'manifest' | 'editor' | 'directory';

/** A directory that somebody works in as one thing. */
export interface Project {
  /** From its manifest where it has one, otherwise the last name of its path. */
  readonly name: string;
  /** This tree: absolute, in native form. Two worktrees of one repository have two. */
  readonly location: string;
  /** The project: the same in every worktree, different for two directories of one name. */
  readonly id: string;
  readonly kind: ProjectKind;
  /** Names of the files that revealed it, the deciding one first. */
  readonly markers: readonly string[];
}

/** A project, and where it stands among the others that were found with it. */
export interface FoundProject extends Project {
  /** How many directories below the one that was searched; 0 for that one itself. */
  readonly depth: number;
  /** Location of the project that declares it as a package, or else of the nearest one around it. */
  readonly parent?: string;
  /** Whether its parent declares it as a package. Best effort for Gradle, whose declarations are programs. */
  readonly member: boolean;
}
