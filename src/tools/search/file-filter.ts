import { compileGlobs } from '../../path/glob.ts';
import { hostPlatform } from '../../path/platform.ts';

/** Whether a file is wanted, by its path from the start on. */
export function fileFilter(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => true;
  const wanted = compileGlobs(globs, { platform: hostPlatform });
  return (path) => wanted.match(path) !== undefined;
}
