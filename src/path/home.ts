import { homedir } from 'node:os';
import nodePath from 'node:path';
import { hostPlatform, type Platform } from './platform.ts';

export interface HomeOptions {
  /** The home directory; by default that of the user who runs this process. */
  readonly home?: string;
  readonly platform?: Platform;
}

/**
 * Expands a leading `~` to the home directory, as shells and the reference file server do; returns other
 * paths unchanged. This grants nothing: the result is checked against the roots like any path.
 */
export function expandHome(path: string, { home, platform = hostPlatform }: HomeOptions = {}): string {
  if (!path.startsWith('~') || !/^~(?:$|[\\/])/.test(path)) return path;
  const directory = home ?? homedir();
  return path.length === 1 ? directory : nodePath[platform].join(directory, path.slice(2));
}
