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
