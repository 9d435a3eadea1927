import type { SessionRecord } from '../sessions/session-store.ts';
import type { Incoming, RpcId, RpcResponse } from './json-rpc.ts';
import { closeAfter, openServer } from './open-server.ts';
import type { Reply } from './reply.ts';
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
  { requests, batch }: Incoming,
): Promise<void> {
  const { id: sessionId, principal } = record;
  const ids = requests.map(({ id }) => id);
  const reply: Reply = site.openReply(visit, {
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
  const memory = createSessionMemory(site.store, record);
  const connection = { ...site.connectionFor(principal), era: 'legacy', memory, sessionId } as const;
  const server = await openServer(site.createServer, connection, transport);
  if (!closeAfter(visit.response, server)) return;
  await transport.hydrate(record.initialize);
  transport.begin(requests);
}
