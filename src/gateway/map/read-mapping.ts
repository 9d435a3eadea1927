import type { Platform } from '../../path/platform.ts';
import { separatorOf, splitPath } from '../../path/split-path.ts';
import type { PathMapping, MappingSource, MappedPlace } from './path-map.ts';

/**
 * Reads `CLIENT=SERVER`: two absolute paths, each of Windows or of posix. A path may contain `=` itself, so the text is
 * cut where both halves are absolute; where that is possible at two places it is refused.
 *
 * @example
 * ```ts
 * readMapping('C:\\app=/work').server.path // → '/work'
 * readMapping('app=/work').fault // → '"app" is not an absolute path'
 * ```
 */
export function readMapping(text: string): PathMapping | { readonly fault: string } {
  const cuts = [...text.matchAll(/=/g)].map(({ index }) => index);
  if (cuts.length === 0) return { fault: 'it is not of the form CLIENT=SERVER' };
  const read = cuts.map((cut) => {
    const client = readPlace(text.slice(0, cut));
    const server = readPlace(text.slice(cut + 1));
    return { client, server };
  });
  const whole = read.flatMap(({ client, server }) => toMapping(client, server, 'flag'));
  const [mapping] = whole;
  if (mapping !== undefined && whole.length === 1) return mapping;
  if (whole.length > 1) return { fault: 'it can be cut at more than one "="' };
  const [first] = read;
  const half = first !== undefined && 'path' in first.client ? first.server : first?.client;
  return half !== undefined && 'fault' in half ? half : { fault: 'it is not of the form CLIENT=SERVER' };
}

/** Reads an absolute path of either platform and cleans it: `c:/app/` is `C:\app`. */
export function readPlace(text: string): MappedPlace | { readonly fault: string } {
  const platform = platformOf(text);
  const split = platform === undefined ? undefined : splitPath(text, platform);
  if (platform === undefined || split === undefined) return { fault: `"${text}" is not an absolute path` };
  if ('fault' in split) return { fault: `"${text}" is not a path: ${split.fault}` };
  if (split.components.includes('..')) return { fault: `"${text}" contains ".."` };
  return { platform, path: split.prefix + split.components.join(separatorOf(platform)) };
}

/** Returns whose rules an absolute path follows; `undefined` for a relative one. */
export function platformOf(text: string): Platform | undefined {
  if (/^(?:[A-Za-z]:[\\/]|\\\\[^\\])/.test(text)) return 'win32';
  return text.startsWith('/') ? 'posix' : undefined;
}

/** A list with the mapping, or an empty one if either half is not a path. */
export function toMapping(
  client: MappedPlace | { readonly fault: string },
  server: MappedPlace | { readonly fault: string },
  source: MappingSource,
): readonly PathMapping[] {
  return 'fault' in client || 'fault' in server ? [] : [{ client, server, source }];
}
