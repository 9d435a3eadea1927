import type { Project } from './project.ts';

/** A project, and where it stands among the others that were found with it. */
export interface FoundProject extends Project {
  /** How many directories below the one that was searched; 0 for that one itself. */
  readonly depth: number;
  /** Location of the project that declares it as a package, or else of the nearest one around it. */
  readonly parent?: string;
  /** Whether its parent declares it as a package. Best effort for Gradle, whose declarations are programs. */
  readonly member: boolean;
}
