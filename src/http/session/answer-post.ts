import type { SessionRecord } from '../../sessions/record/session-store.ts';
import type { PostedMessages, RpcId, RpcResponse } from '../exchange/json-rpc.ts';
import { plainHeaders } from '../exchange/refusals.ts';
import type { Reply, ReplyEvents } from '../exchange/reply.ts';
import { closeAfter, openServer } from '../exchange/server-like.ts';
import { giveUp, type Endpoint, type Exchange } from '../exchange/endpoint.ts';
import { createSessionMemory } from './session-memory.ts';
import { SessionTransport } from './session-transport.ts';

/**
 * Answers the requests of one POST with a server that is built for them and closed afterwards. A client that
 * disconnects before the result cancels the call: the result could not be delivered.
 */
export async function answerPost(
  endpoint: Endpoint,
  exchange: Exchange,
  record: SessionRecord,
  posted: PostedMessages,
): Promise<void> {
  const { id: sessionId, principal } = record;
  const { requests } = posted;
  const ids = requests.map(({ id }) => id);
  const answer = openPostReply(endpoint, record, posted);
  const reply: Reply = endpoint.openReply(exchange, {
    ...answer.priming,
    late: () => {
      endpoint.record({ kind: 'late-call', principal, session: sessionId });
      abandon('The call took too long');
    },
    cut: () => abandon('The server is shutting down, and the call was not completed'),
    // A long call keeps its session alive.
    tick: () => void endpoint.store.touch(sessionId).catch(() => {}),
  });
  const finish = (responses: readonly RpcResponse[]): void => answer.finish(reply, responses);
  const transport = openTransport(endpoint, record, { reply, posted, exchange, finish });
  const abandon = (reason: string): void => {
    finish(transport.pending().map((id: RpcId) => giveUp(id, reason)));
    void transport.close().catch(() => {});
  };
  const { stream } = answer;
  endpoint.calls.add(sessionId, ids, { cancel: (it) => transport.cancel(it), abandon, stream });
  exchange.response.once('close', () => {
    abandon('The connection was lost, and the call was not completed');
    endpoint.calls.remove(sessionId, ids);
  });
  const memory = createSessionMemory(endpoint.store, record);
  const connection = { ...endpoint.connectionFor(principal), era: 'legacy', memory, sessionId } as const;
  const server = await openServer(endpoint.createServer, connection, transport);
  if (!closeAfter(exchange.response, server)) return;
  await transport.hydrate(record.initialize);
  transport.begin(requests);
}

/** Clients of earlier revisions mistake an event without data for a message. */
const firstWithPriming = '2025-11-25';

/** The response to one POST, which may be asked for again. */
interface PostReply {
  /** Names the stream to a client that may lose it. */
  readonly priming: Pick<ReplyEvents, 'prime'>;
  readonly stream: () => string | undefined;
  /** Sends the result, and keeps it for a while if it went out on a stream. */
  readonly finish: (reply: Reply, responses: readonly RpcResponse[]) => void;
}

/** A batch has no single result that could be asked for again. */
function openPostReply(
  { store, finished }: Endpoint,
  { id: session, protocolVersion }: SessionRecord,
  { requests: [request], batch }: PostedMessages,
): PostReply {
  let stream: string | undefined;
  const named = request !== undefined && !batch && protocolVersion >= firstWithPriming;
  const prime = (): string => (stream = store.openStream({ session, request: request?.id ?? '' }));
  return {
    priming: named ? { prime } : {},
    stream: () => stream,
    finish(reply, responses) {
      const [only] = responses;
      if (only === undefined) return;
      reply.finish(batch ? responses : only);
      if (stream !== undefined) finished.keep(stream, only);
    },
  };
}

interface ReplyParts {
  readonly reply: Reply;
  readonly posted: PostedMessages;
  readonly exchange: Exchange;
  readonly finish: (responses: readonly RpcResponse[]) => void;
}

function openTransport(
  endpoint: Endpoint,
  { id: sessionId, principal, answered, generation }: SessionRecord,
  { reply, posted, exchange, finish }: ReplyParts,
): SessionTransport {
  const { meters, store, waiting, limits } = endpoint;
  if (posted.requests.some(({ method }) => method === 'tools/call')) {
    meters.knewRoots(answered === generation);
  }
  return new SessionTransport({
    sessionId,
    principal,
    waiting,
    reply,
    complete: finish,
    cancelled: () => endCancelled(reply, posted, exchange),
    answered: (call) => meters.called(call),
    askAgainMs: store.shared ? limits.askAgainMs : undefined,
    asked: (method, again) => {
      meters.asked(method, again);
      if (again) endpoint.record({ kind: 'asked-again', principal, session: sessionId });
    },
    notify: (notification) => endpoint.notify(sessionId, notification),
  });
}

/** A cancelled request gets no result, but its response must end. A stream that ends without one would be resumed. */
function endCancelled(reply: Reply, posted: PostedMessages, { response }: Exchange): void {
  if (reply.closed) return;
  if (reply.streaming) {
    const [request] = posted.requests;
    if (request !== undefined) reply.finish(giveUp(request.id, 'The call was cancelled'));
  } else {
    response.writeHead(202, plainHeaders).end();
  }
}
