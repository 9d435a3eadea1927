import { findSession } from './find-session.ts';
import type { StreamState } from '../sessions/session-store.ts';
import { giveUp, type Site, type Visit } from './site.ts';

/**
 * Tells a client that lost the stream of a call what became of it. A call ends with its connection, whoever
 * broke it: so the client gets a definite error now instead of waiting for an answer that cannot come. The
 * stream is closed first, on whichever node it was: a node that only seemed dead has no say any more.
 */
export async function resumeStream(site: Site, visit: Visit, event: string): Promise<void> {
  if (!visit.accepts.stream) return site.turnAway(visit, 'not-acceptable');
  const record = await findSession(site, visit);
  if (record === undefined) return;
  const { id: session, principal } = record;
  const stream = await site.store.lookup(event);
  if (stream?.session !== session) return site.turnAway(visit, 'unknown-event', { session });
  await site.store.closeStream(event);
  site.record({ kind: 'lost-call', principal, session });
  const reply = site.openReply({ ...visit, accepts: { json: false, stream: true } });
  reply.finish(giveUp(stream.request, reasonOf(stream)));
  if (stream.open) await cancelThere(site, principal, stream);
}

function reasonOf({ open }: StreamState): string {
  return open
    ? 'The connection was lost, and the call was not completed'
    : 'The node that served this call is gone; the call was not completed, or nobody knows';
}

/** Its node may not have noticed that nobody listens. */
async function cancelThere(
  site: Site,
  principal: string,
  { session, request, node }: StreamState,
): Promise<void> {
  const params = { requestId: request, reason: 'The connection was lost' };
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  await site.store.deliver(node, { session, principal, message });
}
