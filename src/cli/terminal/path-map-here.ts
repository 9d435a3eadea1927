import { basename, dirname } from 'node:path';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { readMountTable } from '../../boundary/system/mount-table.ts';
import { RootwardError } from '../../errors.ts';
import { detectMappings } from '../../gateway/map/detect-mappings.ts';
import { createPathMap, type PathMap } from '../../gateway/map/path-map.ts';
import { readMapping } from '../../gateway/map/read-mapping.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';

/**
 * Returns the names that a server has for directories: those that the person wrote with `--map`, and those that its
 * command shows.
 *
 * @throws {RootwardError} `INVALID_CONFIG` for a `--map` that cannot be read
 */
export async function pathMapHere(
  { process: { env = {} } }: CliContext,
  written: readonly string[],
  command: readonly string[],
): Promise<PathMap> {
  const given = written.map((text) => {
    const mapping = readMapping(text);
    if ('fault' in mapping)
      throw new RootwardError('INVALID_CONFIG', { where: '--map', reason: mapping.fault });
    return mapping;
  });
  const found = await detectMappings({
    command,
    environment: env,
    readText,
    readMounts: async () => (await readMountTable()).revision,
  });
  return createPathMap([...given, ...found]);
}

async function readText(file: string): Promise<string | undefined> {
  try {
    await using boundary = await openBoundary(dirname(file));
    return await boundary.readText(basename(file), { limit: 1024 * 1024 });
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return undefined;
  }
}
