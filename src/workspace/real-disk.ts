import { dirname, join } from 'node:path';
import { openBoundary } from '../boundary/open-boundary.ts';
import { RootwardError } from '../errors.ts';
import type { DetectOptions, Disk } from './disk.ts';
import type { Project } from './project.ts';

/** The disk of this machine. What finds and names projects is loaded when somebody asks for one. */
export const realDisk: Disk = {
  kindOf,
  async realPath(path) {
    const { findRealPath } = await import('./open-place.ts');
    return (await findRealPath(path)) ?? path;
  },
  async describe(directory) {
    const { describeProject } = await import('./describe-project.ts');
    return describeProject(directory);
  },
  async detect(path, { markers, levels, markerOnly, signal }) {
    if (markerOnly) return detectMarker(path, { markers, levels });
    const { detectProject } = await import('./detect-project.ts');
    return detectProject(path, { markers, levels, ...(signal === undefined ? {} : { signal }) });
  },
};

async function kindOf(path: string): Promise<'directory' | 'file' | undefined> {
  try {
    // Nothing is granted by a look, so any level will do.
    await using boundary = await openBoundary(path, { requireLevel: 'verified' });
    return boundary.kind;
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}

/** Upward to the first directory that holds one of the markers, whatever else is on the way. */
async function detectMarker(
  start: string,
  options: Pick<DetectOptions, 'markers' | 'levels'>,
): Promise<Project | undefined> {
  let directory = start;
  for (let level = 0; level < options.levels; level += 1) {
    for (const marker of options.markers) {
      if ((await kindOf(join(directory, marker))) === undefined) continue;
      const project = await realDisk.describe(directory);
      return {
        ...project,
        kind: 'marker',
        markers: [marker, ...project.markers.filter((name) => name !== marker)],
      };
    }
    const above = dirname(directory);
    if (above === directory) return undefined;
    directory = above;
  }
  return undefined;
}
