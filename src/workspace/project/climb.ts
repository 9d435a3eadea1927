import { dirname } from 'node:path';
import type { Boundary } from '../../boundary/boundary.ts';
import { openPlace } from './open-place.ts';

export interface ClimbOptions {
  /** How many directories to look at, the first one included. */
  readonly levels: number;
  /** Real path of the last directory to look at. */
  readonly stopAt: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** One directory on the way up, open until the next one is asked for. */
export interface Level {
  /** A real path. */
  readonly directory: string;
  readonly boundary: Boundary;
}

/** From a real path upward, never above the file system. What cannot be opened is passed over, and counts. */
export async function* climb(start: string, { levels, stopAt, signal }: ClimbOptions): AsyncGenerator<Level> {
  let directory = start;
  for (let level = 0; level < levels; level += 1) {
    signal?.throwIfAborted();
    await using boundary = await openPlace(directory);
    if (boundary !== undefined) yield { directory, boundary };
    const above = dirname(directory);
    if (directory === stopAt || above === directory) return;
    directory = above;
  }
}
