import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * A path that begins with `~` from the home of whoever runs the server on, as shells and the reference file server
 * read it; others as they are. Nothing is granted by that: what comes out is placed among the roots like any path.
 */
export function expandHome(path: string, home: () => string = homedir): string {
  if (!path.startsWith('~') || !/^~(?:$|[\\/])/.test(path)) return path;
  return path === '~' ? home() : join(home(), path.slice(2));
}
