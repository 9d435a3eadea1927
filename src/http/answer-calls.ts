import type { SessionRecord } from '../sessions/session-store.ts';
import type { Incoming, RpcId, RpcResponse } from './json-rpc.ts';
import { closeAfter, openServer } from './open-server.ts';
import { plainHeaders } from './refusals.ts';
import type { Reply, ReplyEvents } from './reply.ts';
import { createSessionMemory } from './session-memory.ts';
import { SessionTransport } from './session-transport.ts';
import { giveUp, type Site, type Visit } from './site.ts';

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
  const reply: Reply = site.openReply(visit, {
    ...primingFor(site, record, incoming),
    late: () => abandon('The call took too long'),
    // A call that takes long keeps its session alive.
    tick: () => void site.store.touch(sessionId).catch(() => {}),
  });
  const transport = openTransport(site, record, { reply, incoming, visit });
  const abandon = (reason: string): void => {
    finish(
      reply,
      incoming,
      transport.pending().map((id: RpcId) => giveUp(id, reason)),
    );
    void transport.close();
  };
  site.calls.add(sessionId, ids, {
    cancel: (notification) => transport.cancel(notification),
    abandon: () => abandon('The session is over'),
  });
  visit.response.once('close', () => {
    site.calls.remove(sessionId, ids);
    void transport.close();
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

/** What names the stream to a client that may lose it. A batch has no single answer that could be given up. */
function primingFor(
  { store }: Site,
  { id: session, protocolVersion }: SessionRecord,
  { requests: [request], batch }: Incoming,
): Pick<ReplyEvents, 'prime'> {
  if (request === undefined || batch || protocolVersion < firstWithPriming) return {};
  return { prime: () => store.openStream({ session, request: request.id }) };
}

interface Exchange {
  readonly reply: Reply;
  readonly incoming: Incoming;
  readonly visit: Visit;
}

function openTransport(
  site: Site,
  { id: sessionId, principal, answered, generation }: SessionRecord,
  { reply, incoming, visit }: Exchange,
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
    complete: (responses) => finish(reply, incoming, responses),
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

function finish(reply: Reply, { batch }: Incoming, responses: readonly RpcResponse[]): void {
  const [only] = responses;
  if (batch) reply.finish(responses);
  else if (only !== undefined) reply.finish(only);
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
