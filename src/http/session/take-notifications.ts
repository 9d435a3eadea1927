import type { SessionRecord } from '../../sessions/record/session-store.ts';
import type { RpcId, RpcNotification } from '../exchange/json-rpc.ts';
import { closeServer, openServer } from '../exchange/server-like.ts';
import type { Endpoint } from '../exchange/endpoint.ts';
import { route } from './route-answers.ts';
import { createSessionMemory } from './session-memory.ts';
import { cancelledId, SessionTransport } from './session-transport.ts';

/** Milliseconds that a server may keep working on a notification. */
const afterwards = 250;

/**
 * Takes the notifications of a client. A change of roots is known on every node before this returns, so that no call
 * sent after the 202 can see the old ones. Returns the updated record.
 */
export async function takeNotifications(
  endpoint: Endpoint,
  record: SessionRecord,
  notifications: readonly RpcNotification[],
): Promise<SessionRecord> {
  const rest: RpcNotification[] = [];
  let { generation } = record;
  for (const notification of notifications) {
    const cancelled = cancelledId(notification);
    if (cancelled !== undefined) await cancel(endpoint, record, { id: cancelled, notification });
    else if (notification.method === 'notifications/progress') await route(endpoint, record, notification);
    else rest.push(notification);
    if (notification.method !== 'notifications/roots/list_changed') continue;
    generation = (await endpoint.store.invalidate(record.id)) ?? generation;
  }
  const current = generation === record.generation ? record : { ...record, generation };
  if (rest.length > 0) await tellServer(endpoint, current, rest);
  return current;
}

interface Cancellation {
  readonly id: RpcId;
  readonly notification: RpcNotification;
}

/** The call may run on any node, so a cancellation that finds none here is sent to all. */
async function cancel(
  endpoint: Endpoint,
  record: SessionRecord,
  { id, notification }: Cancellation,
): Promise<void> {
  const call = endpoint.calls.find(record.id, id);
  if (call !== undefined) call.cancel(notification);
  else if (endpoint.mayAnnounce(record.principal)) await endpoint.announce(record, notification);
  else endpoint.record({ kind: 'dropped-cancel', principal: record.principal, session: record.id });
}

/** Builds a server to pass notifications to. Its failures do not reach the client. */
async function tellServer(
  endpoint: Endpoint,
  record: SessionRecord,
  notifications: readonly RpcNotification[],
): Promise<void> {
  const { id: sessionId, principal } = record;
  const transport = new SessionTransport({
    sessionId,
    principal,
    waiting: endpoint.waiting,
    notify: (notification) => endpoint.notify(sessionId, notification),
  });
  const memory = createSessionMemory(endpoint.store, record, { announced: true });
  const connection = { ...endpoint.connectionFor(principal), era: 'legacy', memory, sessionId } as const;
  try {
    const server = await openServer(endpoint.createServer, connection, transport);
    setTimeout(() => void closeServer(server), afterwards).unref();
    await transport.hydrate(record.initialize);
    for (const notification of notifications) transport.deliver(notification);
  } catch (error) {
    endpoint.record({ kind: 'failed', principal, session: sessionId, error });
  }
}
