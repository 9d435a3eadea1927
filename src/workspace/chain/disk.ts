import type { Guard } from '../../boundary/step/context.ts';
import type { Project } from '../project/project.ts';

export interface DetectOptions {
  /** Names of the product's own markers. */
  readonly markers: readonly string[];
  /** Looks for these markers only, and passes repositories. */
  readonly markerOnly: boolean;
  readonly levels: number;
  /** The last directory to look at. Has no effect if the path is not beneath it. */
  readonly stopAt?: string;
  readonly signal?: AbortSignal;
}

export interface SeenPlace {
  readonly kind: 'directory' | 'file';
  /** The path without links. */
  readonly real: string;
}

/** The disk operations that resolution needs. A parameter, so that tests can replace the disk. */
export interface Disk {
  kindOf(path: string): Promise<'directory' | 'file' | undefined>;
  /** Resolves links; returns the path itself if nothing is there. */
  realPath(path: string): Promise<string>;
  /**
   * Looks up a path relative to a directory, and its real path. Returns `outside` for a link that leads out
   * of the directory, whether or not the target exists.
   */
  lookWithin?(directory: string, relative: string): Promise<SeenPlace | 'outside' | undefined>;
  /**
   * Describes a directory as a project, whether or not markers reveal one. Ignores entries that the guard
   * refuses.
   */
  describe(directory: string, guard?: Guard): Promise<Project>;
  /** Finds the nearest project from here upward. */
  detect(path: string, options: DetectOptions): Promise<Project | undefined>;
}
