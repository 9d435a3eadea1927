import { dirname, join } from 'node:path';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { Project } from '../project/project.ts';
import type { DetectOptions, Disk, SeenPlace } from './disk.ts';

/** The disk of this machine. The modules that detect projects are loaded on first use. */
export const realDisk: Disk = {
  kindOf,
  async realPath(path) {
    const { findRealPath } = await import('../project/open-place.ts');
    return (await findRealPath(path)) ?? path;
  },
  lookWithin,
  async describe(directory, guard) {
    const { describeProject } = await import('../project/describe-project.ts');
    return describeProject(directory, [], guard);
  },
  async detect(path, { markerOnly, ...options }) {
    if (markerOnly) return detectMarker(path, options);
    const { detectProject } = await import('../project/detect-project.ts');
    return detectProject(path, options);
  },
};

async function kindOf(path: string): Promise<'directory' | 'file' | undefined> {
  try {
    // Any level suffices, because looking grants nothing.
    await using boundary = await openBoundary(path, { requireLevel: 'verified' });
    return boundary.kind;
  } catch (error) {
    if (RootwardError.is(error)) return undefined;
    throw error;
  }
}

async function lookWithin(directory: string, relative: string): Promise<SeenPlace | 'outside' | undefined> {
  try {
    await using top = await openBoundary(directory, { requireLevel: 'verified', absoluteLinks: 'reroot' });
    await using place = await top.openBelow(relative, relative);
    return { kind: place.kind, real: place.spellings.at(-1) ?? directory };
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return error.code === 'OUTSIDE_ROOTS' ? 'outside' : undefined;
  }
}

/** Searches upward for the first directory with one of the markers, regardless of other markers. */
async function detectMarker(
  start: string,
  options: Omit<DetectOptions, 'markerOnly'>,
): Promise<Project | undefined> {
  let directory = start;
  for (let level = 0; level < options.levels; level += 1) {
    options.signal?.throwIfAborted();
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
    if (directory === options.stopAt || above === directory) return undefined;
    directory = above;
  }
  return undefined;
}
