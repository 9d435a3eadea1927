import type { SessionRecord } from '../../sessions/record/session-store.ts';
import type { RpcId, RpcNotification } from '../exchange/json-rpc.ts';
import { closeServer, openServer } from '../exchange/server-like.ts';
import type { Site } from '../exchange/site.ts';
import { route } from './route-answers.ts';
import { createSessionMemory } from './session-memory.ts';
import { cancelledId, SessionTransport } from './session-transport.ts';

/** How long a server that was told something may go on with it, in milliseconds. */
const afterwards = 250;

/**
 * Takes what a client announces. That its roots have changed is known everywhere when this returns, so that no
 * call that the client makes after its 202 can meet the old ones. Returns the record as it is then.
 */
export async function takeNotifications(
  site: Site,
  record: SessionRecord,
  notifications: readonly RpcNotification[],
): Promise<SessionRecord> {
  const rest: RpcNotification[] = [];
  let { generation } = record;
  for (const notification of notifications) {
    const cancelled = cancelledId(notification);
    if (cancelled !== undefined) await cancel(site, record, { id: cancelled, notification });
    else if (notification.method === 'notifications/progress') await route(site, record, notification);
    else rest.push(notification);
    if (notification.method !== 'notifications/roots/list_changed') continue;
    generation = (await site.store.invalidate(record.id)) ?? generation;
  }
  const current = generation === record.generation ? record : { ...record, generation };
  if (rest.length > 0) await tellServer(site, current, rest);
  return current;
}

interface Cancellation {
  readonly id: RpcId;
  readonly notification: RpcNotification;
}

/** The call may be under way on any node, and nobody wrote down on which. */
async function cancel(site: Site, record: SessionRecord, { id, notification }: Cancellation): Promise<void> {
  const call = site.calls.find(record.id, id);
  if (call !== undefined) call.cancel(notification);
  else if (site.mayAnnounce(record.principal)) await site.announce(record, notification);
  else site.record({ kind: 'dropped-cancel', principal: record.principal, session: record.id });
}

/** A server of its own sees them, like everything else. That it fails is no affair of the client. */
async function tellServer(
  site: Site,
  record: SessionRecord,
  notifications: readonly RpcNotification[],
): Promise<void> {
  const { id: sessionId, principal } = record;
  const transport = new SessionTransport({
    sessionId,
    principal,
    waiting: site.waiting,
    notify: (notification) => site.notify(sessionId, notification),
  });
  const memory = createSessionMemory(site.store, record, { announced: true });
  const connection = { ...site.connectionFor(principal), era: 'legacy', memory, sessionId } as const;
  try {
    const server = await openServer(site.createServer, connection, transport);
    setTimeout(() => void closeServer(server), afterwards).unref();
    await transport.hydrate(record.initialize);
    for (const notification of notifications) transport.deliver(notification);
  } catch (error) {
    site.record({ kind: 'failed', principal, session: sessionId, error });
  }
}
