import { posix, win32 } from 'node:path';
import type { Disk } from '../../../src/workspace/chain/disk.ts';
import type { Project } from '../../../src/workspace/project/project.ts';

/** A disk that is only a list of paths: for the rules of another platform, and for timing without a disk. */
export function memoryDisk(paths: readonly string[], markers: readonly string[] = ['.git']): Disk {
  const known = new Set(paths);
  const path = paths[0]?.includes('\\') === true ? win32 : posix;
  const describe = async (location: string): Promise<Project> => ({
    name: path.basename(location),
    location,
    id: `${path.basename(location)}-${location}`,
    kind: 'repository',
    markers: markers.filter((marker) => known.has(path.join(location, marker))),
  });
  return {
    kindOf: async (place) =>
      known.has(place) ? (/\.\w+$/.test(path.basename(place)) ? 'file' : 'directory') : undefined,
    realPath: async (place) => place,
    describe,
    async detect(start, options) {
      const wanted = options.markers.length > 0 ? options.markers : markers;
      let directory = start;
      for (let level = 0; level < options.levels; level += 1) {
        if (wanted.some((marker) => known.has(path.join(directory, marker)))) return describe(directory);
        if (path.dirname(directory) === directory) return undefined;
        directory = path.dirname(directory);
      }
      return undefined;
    },
  };
}
