import { homedir } from 'node:os';
import { join } from 'node:path';

/** `~` is the person's home, as in a shell and as in the store. */
export function expandHome(path: string, home: string = homedir()): string {
  return /^~(?=[/\\]|$)/.test(path) ? join(home, path.slice(1)) : path;
}
