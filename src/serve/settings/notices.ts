import { isPublic, parseServeAddress } from './serve-address.ts';
import type { ServeSettings } from './serve-settings.ts';

type Told = Pick<ServeSettings, 'http' | 'hosts' | 'directories' | 'project' | 'store' | 'merge'>;

/** What whoever starts a server over HTTP should know, a line each. */
export function serveNotices(settings: Told): readonly string[] {
  const { http, hosts } = settings;
  if (http === undefined) return [];
  const lines = [];
  if (isPublic(parseServeAddress(http), []))
    lines.push(
      `others can reach this address, and it is plain HTTP: who is on the way can read the token. Put TLS in front of it. It answers to ${hosts.join(', ') || 'no name'}`,
    );
  if (reachesNothing(settings))
    lines.push(
      'no directory is named, so that nothing can be reached: name directories, or take what you keep with --store, or on this machine what clients list with --merge client',
    );
  return lines;
}

/** Over HTTP a client takes away, and what nobody gave it cannot. */
function reachesNothing({ directories, project, store, merge = 'intersect' }: Told): boolean {
  const isNamed = store || project !== undefined || (directories?.length ?? 0) > 0;
  return !isNamed && (merge === 'intersect' || merge === 'operator');
}
