import type { SessionRecord } from '../../sessions/record/session-store.ts';
import type { Incoming, RpcId, RpcResponse } from '../exchange/json-rpc.ts';
import { plainHeaders } from '../exchange/refusals.ts';
import type { Reply, ReplyEvents } from '../exchange/reply.ts';
import { closeAfter, openServer } from '../exchange/server-like.ts';
import { giveUp, type Site, type Visit } from '../exchange/site.ts';
import { createSessionMemory } from './session-memory.ts';
import { SessionTransport } from './session-transport.ts';

/**
 * Answers the requests of one POST with a server that is built for them and gone afterwards. A client that
 * leaves before the answer has cancelled: there is no other way to give it the answer.
 */
export async function answerCalls(
  site: Site,
  visit: Visit,
  record: SessionRecord,
  incoming: Incoming,
): Promise<void> {
  const { id: sessionId, principal } = record;
  const { requests } = incoming;
  const ids = requests.map(({ id }) => id);
  const exchange = openExchange(site, record, incoming);
  const reply: Reply = site.openReply(visit, {
    ...exchange.priming,
    late: () => {
      site.record({ kind: 'late-call', principal, session: sessionId });
      abandon('The call took too long');
    },
    cut: () => abandon('The server is shutting down, and the call was not completed'),
    // A call that takes long keeps its session alive.
    tick: () => void site.store.touch(sessionId).catch(() => {}),
  });
  const finish = (responses: readonly RpcResponse[]): void => exchange.finish(reply, responses);
  const transport = openTransport(site, record, { reply, incoming, visit, finish });
  const abandon = (reason: string): void => {
    finish(transport.pending().map((id: RpcId) => giveUp(id, reason)));
    void transport.close().catch(() => {});
  };
  const { stream } = exchange;
  site.calls.add(sessionId, ids, { cancel: (it) => transport.cancel(it), abandon, stream });
  visit.response.once('close', () => {
    abandon('The connection was lost, and the call was not completed');
    site.calls.remove(sessionId, ids);
  });
  const memory = createSessionMemory(site.store, record);
  const connection = { ...site.connectionFor(principal), era: 'legacy', memory, sessionId } as const;
  const server = await openServer(site.createServer, connection, transport);
  if (!closeAfter(visit.response, server)) return;
  await transport.hydrate(record.initialize);
  transport.begin(requests);
}

/** Before that revision clients take every event for a message. */
const firstWithPriming = '2025-11-25';

/** What may be asked for again. */
interface Exchange {
  /** What names the stream to a client that may lose it. */
  readonly priming: Pick<ReplyEvents, 'prime'>;
  readonly stream: () => string | undefined;
  /** Sends the end; if it goes out on a stream, it is kept for a while. */
  readonly finish: (reply: Reply, responses: readonly RpcResponse[]) => void;
}

/** A batch has no single answer that could be asked for. */
function openExchange(
  { store, finished }: Site,
  { id: session, protocolVersion }: SessionRecord,
  { requests: [request], batch }: Incoming,
): Exchange {
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

interface Parties {
  readonly reply: Reply;
  readonly incoming: Incoming;
  readonly visit: Visit;
  readonly finish: (responses: readonly RpcResponse[]) => void;
}

function openTransport(
  site: Site,
  { id: sessionId, principal, answered, generation }: SessionRecord,
  { reply, incoming, visit, finish }: Parties,
): SessionTransport {
  const { meters, store, waiting, limits } = site;
  if (incoming.requests.some(({ method }) => method === 'tools/call')) {
    meters.knewRoots(answered === generation);
  }
  return new SessionTransport({
    sessionId,
    principal,
    waiting,
    reply,
    complete: finish,
    cancelled: () => endCancelled(reply, incoming, visit),
    answered: (call) => meters.called(call),
    askAgainMs: store.shared ? limits.askAgainMs : undefined,
    asked: (method, again) => {
      meters.asked(method, again);
      if (again) site.record({ kind: 'asked-again', principal, session: sessionId });
    },
    notify: (notification) => site.notify(sessionId, notification),
  });
}

/** A cancelled request has no answer, but its connection has an end. A stream without one is asked for again. */
function endCancelled(reply: Reply, incoming: Incoming, { response }: Visit): void {
  if (reply.closed) return;
  if (reply.streaming) {
    const [request] = incoming.requests;
    if (request !== undefined) reply.finish(giveUp(request.id, 'The call was cancelled'));
  } else {
    response.writeHead(202, plainHeaders).end();
  }
}
