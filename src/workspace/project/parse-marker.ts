import { RootwardError } from '../../errors.ts';
import { componentFault } from '../../path/component.ts';
import { hostPlatform, type Platform } from '../../path/platform.ts';

/**
 * A product's own marker: the name of one file or directory, to be found as it is written. A path could leave
 * the directory that is looked at, and a pattern would never be found.
 *
 * @throws {RootwardError} `INVALID_MARKER`
 * @internal
 */
export function parseMarker(text: string, platform: Platform = hostPlatform): string {
  const reason = findFault(text, platform);
  if (reason !== undefined) throw new RootwardError('INVALID_MARKER', { marker: text, reason });
  return text;
}

function findFault(text: string, platform: Platform): string | undefined {
  if (text === '') return 'it is empty';
  if (text === '.' || text === '..') return 'it is no name of its own';
  if (/[\\/]/.test(text)) return 'it is more than one name';
  if (/[*?]/.test(text)) return 'it is a pattern, not a name';
  return componentFault(text, platform);
}
