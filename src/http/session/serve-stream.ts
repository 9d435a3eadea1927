import type { StreamState } from '../../sessions/record/session-store.ts';
import type { RpcResponse } from '../exchange/json-rpc.ts';
import type { Reply } from '../exchange/reply.ts';
import { cancellationOf } from '../exchange/resumptions.ts';
import { giveUp, type Endpoint, streamOpened, type Exchange } from '../exchange/endpoint.ts';
import { findSession } from './serve-session.ts';

/** Opens the notification stream of a session, if the operator enables them, or resumes the stream of a call. */
export async function serveStream(endpoint: Endpoint, exchange: Exchange): Promise<void> {
  const event = exchange.request.headers['last-event-id'];
  if (typeof event === 'string' && event !== '') {
    await resumeStream(endpoint, exchange, event);
    return;
  }
  if (!endpoint.notifications)
    return endpoint.turnAway(exchange, 'no-such-method', { headers: { allow: 'POST, DELETE' } });
  if (!exchange.accepts.stream) return endpoint.turnAway(exchange, 'not-acceptable');
  const record = await findSession(endpoint, exchange);
  if (record === undefined) return;
  const { id } = record;
  // The stream lasts as long as its session, and keeps it alive.
  const reply: Reply = endpoint.openReply(exchange, {
    endless: true,
    tick: () => void keepAlive(endpoint, id, reply),
  });
  endpoint.streams.open(id, reply);
  exchange.response.once('close', () => endpoint.streams.forget(id, reply));
  // The previous stream may be on another node, which may not have noticed that it is lost.
  if (endpoint.store.shared) void endpoint.announce(record, streamOpened).catch(() => {});
}

async function keepAlive(endpoint: Endpoint, id: string, reply: Reply): Promise<void> {
  // The stream survives a store that is briefly unavailable.
  const record = await endpoint.store.touch(id).catch(() => 'unknown' as const);
  if (record === undefined) reply.end();
}

/**
 * Tells a client that lost the stream of a call how the call ended. The node that ran it repeats the result, or ends
 * the call now, because its result can no longer be delivered. If that node does not reply, the outcome is unknown:
 * the stream is closed for good, so that a node that only seemed dead cannot contradict this later.
 */
async function resumeStream(endpoint: Endpoint, exchange: Exchange, event: string): Promise<void> {
  if (!exchange.accepts.stream) return endpoint.turnAway(exchange, 'not-acceptable');
  const record = await findSession(endpoint, exchange);
  if (record === undefined) return;
  const { id: session, principal } = record;
  const stream = await endpoint.store.lookup(event);
  if (stream?.session !== session) return endpoint.turnAway(exchange, 'unknown-event', { session });
  const end = await endOf(endpoint, principal, { ...stream, event });
  endpoint.record({ kind: end === undefined ? 'lost-call' : 'resumed-call', principal, session });
  if (end === undefined) await endpoint.store.closeStream(event);
  const reply = endpoint.openReply({ ...exchange, accepts: { json: false, stream: true } });
  reply.finish(end ?? giveUp(stream.request, outcomeUnknown));
  if (end === undefined) await cancelThere(endpoint, principal, stream);
}

const outcomeUnknown = 'The connection was lost, and the outcome of the call is unknown';

interface LostStream extends StreamState {
  readonly event: string;
}

/** Returns `undefined` if the outcome is unknown or was already reported as unknown. */
async function endOf(
  endpoint: Endpoint,
  principal: string,
  lost: LostStream,
): Promise<RpcResponse | undefined> {
  const { session, node, event, closed } = lost;
  if (closed) return undefined;
  if (node === endpoint.store.nodeId) return endHere(endpoint, lost);
  const { message, answer } = endpoint.resumptions.ask(event, endpoint.store.nodeId);
  const delivery = await endpoint.store.deliver(node, { session, principal, message });
  return delivery === 'accepted' ? answer : undefined;
}

/** Returns the result of a call on this node. Ends a running one first: its connection is lost. */
export function endHere(
  endpoint: Endpoint,
  { session, request, event }: Pick<LostStream, 'session' | 'request' | 'event'>,
): RpcResponse | undefined {
  const call = endpoint.calls.find(session, request);
  if (call?.stream?.() === event) call.abandon('The connection was lost, and the call was not completed');
  return endpoint.finished.find(event);
}

/** Cancels the call on its node, in case it still runs; a suspended node gets the message when it wakes. */
async function cancelThere(endpoint: Endpoint, principal: string, stream: StreamState): Promise<void> {
  const { session, node } = stream;
  if (node === endpoint.store.nodeId) return;
  await endpoint.store.deliver(node, { session, principal, message: cancellationOf(stream) }).catch(() => {});
}
