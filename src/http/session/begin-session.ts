import { randomUUID } from 'node:crypto';
import { isFields } from '../../base/fields.ts';
import { createMemory } from '../../server/connection/connection-memory.ts';
import { type Incoming, type RpcRequest, type RpcResponse } from '../exchange/json-rpc.ts';
import type { RefusalName } from '../exchange/refusals.ts';
import type { Reply } from '../exchange/reply.ts';
import { closeAfter, openServer } from '../exchange/server-like.ts';
import { giveUp, type Site, type Visit } from '../exchange/site.ts';
import { SessionTransport } from './session-transport.ts';

/** Answers `initialize`. There is a session only once the server has agreed to it. */
export async function beginSession(site: Site, visit: Visit, incoming: Incoming): Promise<void> {
  const [request] = incoming.requests;
  const fault = faultOf(site, visit, incoming);
  if (request === undefined || fault !== undefined) {
    site.turnAway(visit, fault ?? 'not-json-rpc', request === undefined ? {} : { id: request.id });
    return;
  }
  const leave = site.store.available() ? await site.starts.enter({ milliseconds: 2_000 }) : undefined;
  if (leave === undefined) {
    site.turnAway(visit, site.store.available() ? 'too-many-starts' : 'sessions-unavailable', {
      id: request.id,
    });
    return;
  }
  if (visit.response.destroyed) return leave();
  // Whoever is done leaves, even if the answer has to wait for another one on the same connection.
  visit.response.once('close', leave);
  try {
    await begin(site, visit, { request, leave });
  } catch (error) {
    leave();
    throw error;
  }
}

interface Start {
  readonly request: RpcRequest;
  readonly leave: () => void;
}

async function begin(site: Site, visit: Visit, { request, leave }: Start): Promise<void> {
  const sessionId = randomUUID();
  // The id of the session is a header, so that nothing may be sent before there is one.
  const wholeOnly = { ...visit, accepts: { json: visit.accepts.json, stream: false } };
  const reply = site.openReply(wholeOnly, {
    late: () => {
      reply.finish(giveUp(request.id, 'The server did not begin the session in time'));
      leave();
    },
  });
  const transport = new SessionTransport({
    sessionId,
    principal: visit.principal,
    waiting: site.waiting,
    reply,
    complete: ([response]) =>
      void settle(site, visit, { request, response, reply, sessionId }).finally(leave),
    notify: () => {},
  });
  const memory = createMemory({ initialize: request.params });
  const connection = { ...site.connectionFor(visit.principal), era: 'legacy', memory, sessionId } as const;
  const server = await openServer(site.createServer, connection, transport);
  if (closeAfter(visit.response, server)) transport.begin([request]);
}

function faultOf(site: Site, visit: Visit, incoming: Incoming): RefusalName | undefined {
  const { requests, notifications, responses, batch } = incoming;
  const alone = !batch && requests.length + notifications.length + responses.length === 1;
  if (!alone || visit.request.headers['mcp-session-id'] !== undefined) return 'session-exists';
  if (JSON.stringify(requests[0]?.params ?? {}).length > site.limits.initialize)
    return 'initialize-too-large';
  return site.admit() ? undefined : 'too-many-starts';
}

interface Beginning {
  readonly request: RpcRequest;
  readonly response: RpcResponse | undefined;
  readonly reply: Reply;
  readonly sessionId: string;
}

async function settle(site: Site, visit: Visit, beginning: Beginning): Promise<void> {
  const { request, response, reply, sessionId: id } = beginning;
  // A client that left would never use its session.
  if (response === undefined || visit.response.destroyed) return;
  const protocolVersion = versionOf(response);
  if (protocolVersion === undefined) {
    reply.finish(response);
    return;
  }
  try {
    const { principal } = visit;
    const record = await site.store.create({ id, principal, protocolVersion, initialize: request.params });
    if (record === undefined) {
      site.turnAway(visit, 'too-many-sessions', { id: request.id });
      return;
    }
    site.record({ kind: 'session-begun', principal, session: id });
    visit.response.setHeader('mcp-session-id', id);
    reply.finish(response);
  } catch {
    // Those who wait for their turn would wait for the same.
    site.starts.dismiss();
    site.turnAway(visit, 'sessions-unavailable', { id: request.id });
  }
}

/** What was agreed on; nothing if the server refused. */
function versionOf({ result }: RpcResponse): string | undefined {
  const version = isFields(result) ? result['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}
