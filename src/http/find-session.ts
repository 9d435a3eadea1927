import type { SessionRecord } from '../sessions/session-store.ts';
import type { Site, Visit } from './site.ts';

/** The session that a request names, if it is that of its sender. Otherwise the request is turned away. */
export async function findSession(
  site: Site,
  visit: Visit,
  requests: readonly string[] = [],
): Promise<SessionRecord | undefined> {
  const id = visit.request.headers['mcp-session-id'];
  if (typeof id !== 'string') {
    site.turnAway(visit, 'no-session');
    return undefined;
  }
  const record = await site.store.touch(id, requests);
  if (record?.principal === visit.principal) return record;
  site.turnAway(visit, record === undefined ? 'unknown-session' : 'foreign-session', { session: id });
  return undefined;
}
