import type { SessionRecord } from '../sessions/session-store.ts';
import type { Incoming, RpcId, RpcResponse } from './json-rpc.ts';
import { closeAfter, openServer } from './open-server.ts';
import type { Reply } from './reply.ts';
import { createSessionMemory } from './session-memory.ts';
import { SessionTransport } from './session-transport.ts';
import { giveUp, type Site, type Visit } from './site.ts';

const firstWithPriming = '2025-11-25';

/**
 * Answers the requests of one POST with a server that is built for them and gone afterwards. A client that
 * leaves before the answer has cancelled: there is no other way to give it the answer.
 */
export async function answerCalls(
  site: Site,
  visit: Visit,
  record: SessionRecord,
  { requests, batch }: Incoming,
): Promise<void> {
  const { id: sessionId, principal } = record;
  const ids = requests.map(({ id }) => id);
  const [first] = ids;
  const reply: Reply = site.openReply(visit, {
    // Before that revision clients take every event for a message; a batch has no single answer to give up.
    ...(first !== undefined && !batch && record.protocolVersion >= firstWithPriming
      ? { prime: () => site.store.openStream({ session: sessionId, request: first }) }
      : {}),
    late: () => abandon('The call took too long'),
    // A call that takes long keeps its session alive.
    tick: () => void site.store.touch(sessionId).catch(() => {}),
  });
  const finish = (responses: readonly RpcResponse[]): void => {
    const [only] = responses;
    if (batch) reply.finish(responses);
    else if (only !== undefined) reply.finish(only);
  };
  const transport = new SessionTransport({
    sessionId,
    principal,
    waiting: site.waiting,
    reply,
    complete: finish,
    answered: (call) => site.meters.called(call),
    askAgainMs: site.store.shared ? site.limits.askAgainMs : undefined,
    asked: (method, again) => {
      site.meters.asked(method, again);
      if (again) site.record({ kind: 'asked-again', principal, session: sessionId });
    },
    notify: (notification) => site.notify(sessionId, notification),
  });
  const abandon = (reason: string): void => {
    finish(transport.pending().map((id: RpcId) => giveUp(id, reason)));
    void transport.close();
  };
  site.calls.add(sessionId, ids, {
    deliver: (message) => transport.deliver(message),
    abandon: () => abandon('The session is over'),
  });
  visit.response.once('close', () => {
    site.calls.remove(sessionId, ids);
    void transport.close();
  });
  if (requests.some(({ method }) => method === 'tools/call')) {
    site.meters.knewRoots(record.answered === record.generation);
  }
  const memory = createSessionMemory(site.store, record);
  const connection = { ...site.connectionFor(principal), era: 'legacy', memory, sessionId } as const;
  const server = await openServer(site.createServer, connection, transport);
  if (!closeAfter(visit.response, server)) return;
  await transport.hydrate(record.initialize);
  transport.begin(requests);
}
