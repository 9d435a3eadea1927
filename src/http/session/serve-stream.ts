import type { StreamState } from '../../sessions/record/session-store.ts';
import type { RpcResponse } from '../exchange/json-rpc.ts';
import type { Reply } from '../exchange/reply.ts';
import { cancellationOf } from '../exchange/resumptions.ts';
import { giveUp, type Site, streamOpened, type Visit } from '../exchange/site.ts';
import { findSession } from './find-session.ts';

/** Opens the stream for notifications of a session, where the operator wants them. */
export async function serveStream(site: Site, visit: Visit): Promise<void> {
  const event = visit.request.headers['last-event-id'];
  if (typeof event === 'string' && event !== '') {
    await resumeStream(site, visit, event);
    return;
  }
  if (!site.notifications)
    return site.turnAway(visit, 'no-such-method', { headers: { allow: 'POST, DELETE' } });
  if (!visit.accepts.stream) return site.turnAway(visit, 'not-acceptable');
  const record = await findSession(site, visit);
  if (record === undefined) return;
  const { id } = record;
  // It has no end of its own: it lives as long as its session, and keeps it alive.
  const reply: Reply = site.openReply(visit, {
    tick: () => void keepAlive(site, id, reply),
  });
  site.streams.open(id, reply);
  visit.response.once('close', () => site.streams.forget(id, reply));
  // The old one may be on another node, which need not have noticed that it is lost.
  if (site.store.shared) void site.announce(record, streamOpened).catch(() => {});
}

async function keepAlive(site: Site, id: string, reply: Reply): Promise<void> {
  // Where the store is away for a moment, the stream need not be.
  const record = await site.store.touch(id).catch(() => 'unknown' as const);
  if (record === undefined) reply.end();
}

/**
 * Tells a client that lost the stream of a call what became of it. The node that answered it knows: it repeats
 * the end, or ends the call now, because nobody can hear its answer any more. Where that node is silent nobody
 * knows; then the stream is closed for good, so that a node which only seemed dead has no say later.
 */
async function resumeStream(site: Site, visit: Visit, event: string): Promise<void> {
  if (!visit.accepts.stream) return site.turnAway(visit, 'not-acceptable');
  const record = await findSession(site, visit);
  if (record === undefined) return;
  const { id: session, principal } = record;
  const stream = await site.store.lookup(event);
  if (stream?.session !== session) return site.turnAway(visit, 'unknown-event', { session });
  const end = await endOf(site, principal, { ...stream, event });
  site.record({ kind: end === undefined ? 'lost-call' : 'resumed-call', principal, session });
  if (end === undefined) await site.store.closeStream(event);
  const reply = site.openReply({ ...visit, accepts: { json: false, stream: true } });
  reply.finish(end ?? giveUp(stream.request, nobodyKnows));
  if (end === undefined) await cancelThere(site, principal, stream);
}

const nobodyKnows = 'The connection was lost: the call was not completed, or nobody knows whether it was';

interface LostStream extends StreamState {
  readonly event: string;
}

/** Nothing if nobody knows, or somebody was told so before. */
async function endOf(site: Site, principal: string, lost: LostStream): Promise<RpcResponse | undefined> {
  const { session, node, event, closed } = lost;
  if (closed) return undefined;
  if (node === site.store.nodeId) return endHere(site, lost);
  const { message, answer } = site.resumptions.ask(event, site.store.nodeId);
  const delivery = await site.store.deliver(node, { session, principal, message });
  return delivery === 'accepted' ? answer : undefined;
}

/** How a call of this node ended. One that is under way ends now: its connection is lost. */
export function endHere(
  site: Site,
  { session, request, event }: Pick<LostStream, 'session' | 'request' | 'event'>,
): RpcResponse | undefined {
  const call = site.calls.find(session, request);
  if (call?.stream?.() === event) call.abandon('The connection was lost, and the call was not completed');
  return site.finished.find(event);
}

/** It may go on there without having heard that nobody listens; one that stood still hears it when it wakes. */
async function cancelThere(site: Site, principal: string, stream: StreamState): Promise<void> {
  const { session, node } = stream;
  if (node === site.store.nodeId) return;
  await site.store.deliver(node, { session, principal, message: cancellationOf(stream) }).catch(() => {});
}
