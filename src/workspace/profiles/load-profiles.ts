import { basename, dirname } from 'node:path';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { Profile } from '../sources/profile.ts';

/**
 * Loads a file of client profiles that a user adds: JSON, with optional comments and trailing commas.
 *
 * @throws {RootwardError} `INVALID_PROFILE`, with file, line and what was expected
 * @example
 * ```ts
 * await loadProfiles('package.json') // throws INVALID_PROFILE
 * ```
 */
export async function loadProfiles(file: string): Promise<readonly Profile[]> {
  const text = await readFile(file);
  const [{ readJsonc }, { profilesSchema }] = await Promise.all([
    import('../../base/parse-jsonc.ts'),
    import('./parse-profiles.ts'),
  ]);
  const read = readJsonc(text, profilesSchema);
  if ('value' in read) return read.value;
  const { place, reason } = read.fault;
  throw new RootwardError('INVALID_PROFILE', { where: `${file}:${place}`, reason });
}

async function readFile(file: string): Promise<string> {
  try {
    await using boundary = await openBoundary(dirname(file));
    return await boundary.readText(basename(file), { limit: 1024 * 1024 });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    throw new RootwardError('INVALID_PROFILE', { where: file, reason: error.message }, { cause: error });
  }
}
