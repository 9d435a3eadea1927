import type { ArrivalMark, SessionRecord } from '../../sessions/record/session-store.ts';
import { plainHeaders } from '../exchange/refusals.ts';
import { sessionEnded, type Endpoint, type Exchange } from '../exchange/endpoint.ts';

/** Fingerprints of requests that must run only once, and the mark of this arrival. */
export interface RequestClaim {
  readonly requests: readonly string[];
  readonly arrival: ArrivalMark;
}

/** Finds the session that a request names, if it belongs to the sender. Otherwise refuses the request. */
export async function findSession(
  endpoint: Endpoint,
  exchange: Exchange,
  claim: RequestClaim = { requests: [], arrival: 0 },
): Promise<SessionRecord | undefined> {
  const id = exchange.request.headers['mcp-session-id'];
  if (typeof id !== 'string') {
    endpoint.turnAway(exchange, 'no-session');
    return undefined;
  }
  const record = await endpoint.store.touch(id, claim.requests, claim.arrival);
  if (record?.principal === exchange.principal) return record;
  if (record !== undefined) await forgetClaim(endpoint, id, claim);
  endpoint.turnAway(exchange, record === undefined ? 'unknown-session' : 'foreign-session', { session: id });
  return undefined;
}

/** Removes the fingerprints of requests that were refused, so that the client may send them again. */
export async function forgetClaim(
  { store }: Endpoint,
  session: string,
  { requests, arrival }: RequestClaim,
): Promise<void> {
  if (requests.length > 0) await store.forget(session, requests, arrival).catch(() => {});
}

/** Ends a session: abandons its calls, ends its stream and removes its record. */
export async function endSession(endpoint: Endpoint, exchange: Exchange): Promise<void> {
  const record = await findSession(endpoint, exchange);
  if (record === undefined) return;
  const { id, principal } = record;
  await endpoint.store.remove(id);
  endpoint.calls.abandon(id);
  endpoint.streams.end(id);
  await endpoint.announce(record, sessionEnded);
  endpoint.record({ kind: 'session-ended', principal, session: id });
  exchange.response.writeHead(204, plainHeaders).end();
}
