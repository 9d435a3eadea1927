import type { Guard } from '../../boundary/step/context.ts';
import type { Project } from '../project/project.ts';

export interface DetectOptions {
  /** Names of the product's own markers. */
  readonly markers: readonly string[];
  /** Look for these markers alone, past repositories. */
  readonly markerOnly: boolean;
  readonly levels: number;
  /** The last directory to look at. Without effect if the path is not beneath it. */
  readonly stopAt?: string;
  readonly signal?: AbortSignal;
}

export interface SeenPlace {
  readonly kind: 'directory' | 'file';
  /** Without links. */
  readonly real: string;
}

/** What resolution needs to know from the disk. An argument, so that everything else can be judged without. */
export interface Disk {
  kindOf(path: string): Promise<'directory' | 'file' | undefined>;
  /** Without links; the path itself where nothing is there. */
  realPath(path: string): Promise<string>;
  /**
   * What lies at a path from a directory on, and where that really is. `outside` for a link that leads out of the
   * directory, whether or not something is there.
   */
  lookWithin?(directory: string, relative: string): Promise<SeenPlace | 'outside' | undefined>;
  /** The directory as a project, whatever marks it. What the guard refuses is not there, and is not read. */
  describe(directory: string, guard?: Guard): Promise<Project>;
  /** The nearest project from here upward. */
  detect(path: string, options: DetectOptions): Promise<Project | undefined>;
}
