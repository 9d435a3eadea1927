import type { Arrival, SessionRecord } from '../../sessions/record/session-store.ts';
import { plainHeaders } from '../exchange/refusals.ts';
import { sessionEnded, type Site, type Visit } from '../exchange/site.ts';

/** Requests that must not be served twice, and as which arrival they came. */
export interface Claim {
  readonly requests: readonly string[];
  readonly arrival: Arrival;
}

/** The session that a request names, if it is that of its sender. Otherwise the request is turned away. */
export async function findSession(
  site: Site,
  visit: Visit,
  claim: Claim = { requests: [], arrival: 0 },
): Promise<SessionRecord | undefined> {
  const id = visit.request.headers['mcp-session-id'];
  if (typeof id !== 'string') {
    site.turnAway(visit, 'no-session');
    return undefined;
  }
  const record = await site.store.touch(id, claim.requests, claim.arrival);
  if (record?.principal === visit.principal) return record;
  if (record !== undefined) await forgetClaim(site, id, claim);
  site.turnAway(visit, record === undefined ? 'unknown-session' : 'foreign-session', { session: id });
  return undefined;
}

/** They are not served after all: whoever sends them again is not refused for that. */
export async function forgetClaim(
  { store }: Site,
  session: string,
  { requests, arrival }: Claim,
): Promise<void> {
  if (requests.length > 0) await store.forget(session, requests, arrival).catch(() => {});
}

/** Ends a session: what it has under way is given up, its stream ends, its record is gone. */
export async function endSession(site: Site, visit: Visit): Promise<void> {
  const record = await findSession(site, visit);
  if (record === undefined) return;
  const { id, principal } = record;
  await site.store.remove(id);
  site.calls.abandon(id);
  site.streams.end(id);
  await site.announce(record, sessionEnded);
  site.record({ kind: 'session-ended', principal, session: id });
  visit.response.writeHead(204, plainHeaders).end();
}
