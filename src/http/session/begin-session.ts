import { randomUUID } from 'node:crypto';
import { isFields } from '../../base/fields.ts';
import { createMemory } from '../../server/connection/connection-memory.ts';
import { type PostedMessages, type RpcRequest, type RpcResponse } from '../exchange/json-rpc.ts';
import { mendInitialize } from '../exchange/mend-initialize.ts';
import type { RefusalName } from '../exchange/refusals.ts';
import type { Reply } from '../exchange/reply.ts';
import { closeAfter, openServer } from '../exchange/server-like.ts';
import { giveUp, type Endpoint, type Exchange, type HttpEvent } from '../exchange/endpoint.ts';
import { SessionTransport } from './session-transport.ts';

/** Answers `initialize`. The session is created only after the server has accepted it. */
export async function beginSession(
  endpoint: Endpoint,
  exchange: Exchange,
  posted: PostedMessages,
): Promise<void> {
  const [request] = posted.requests;
  const fault = faultOf(endpoint, exchange, posted);
  if (request === undefined || fault !== undefined) {
    endpoint.turnAway(exchange, fault ?? 'not-json-rpc', request === undefined ? {} : { id: request.id });
    return;
  }
  const leave = endpoint.store.available() ? await endpoint.starts.enter({ milliseconds: 2_000 }) : undefined;
  if (leave === undefined) {
    endpoint.turnAway(exchange, endpoint.store.available() ? 'too-many-starts' : 'sessions-unavailable', {
      id: request.id,
    });
    return;
  }
  if (exchange.response.destroyed) return leave();
  // Released when the session has begun, even if the response waits behind another one on the same connection.
  exchange.response.once('close', leave);
  try {
    await begin(endpoint, exchange, { request, leave });
  } catch (error) {
    leave();
    throw error;
  }
}

interface StartRequest {
  readonly request: RpcRequest;
  readonly leave: () => void;
}

async function begin(
  endpoint: Endpoint,
  exchange: Exchange,
  { request: asked, leave }: StartRequest,
): Promise<void> {
  const { params, repairs } = mendInitialize(asked.params);
  const request = { ...asked, params };
  const begun = { params: asked.params, ...(repairs.length > 0 && { repairs }) };
  const sessionId = randomUUID();
  // The session id is a response header, so no event may be sent before it exists.
  const wholeOnly = { ...exchange, accepts: { json: exchange.accepts.json, stream: false } };
  const reply = endpoint.openReply(wholeOnly, {
    late: () => {
      reply.finish(giveUp(request.id, 'The server did not begin the session in time'));
      leave();
    },
  });
  const transport = new SessionTransport({
    sessionId,
    principal: exchange.principal,
    waiting: endpoint.waiting,
    reply,
    complete: ([response]) =>
      void settle(endpoint, exchange, { request, begun, response, reply, sessionId }).finally(leave),
    notify: () => {},
  });
  const memory = createMemory({ initialize: request.params });
  const connection = {
    ...endpoint.connectionFor(exchange.principal),
    era: 'legacy',
    memory,
    sessionId,
  } as const;
  const server = await openServer(endpoint.createServer, connection, transport);
  if (closeAfter(exchange.response, server)) transport.begin([request]);
}

function faultOf(endpoint: Endpoint, exchange: Exchange, posted: PostedMessages): RefusalName | undefined {
  const { requests, notifications, responses, batch } = posted;
  const alone = !batch && requests.length + notifications.length + responses.length === 1;
  if (!alone || exchange.request.headers['mcp-session-id'] !== undefined) return 'session-exists';
  if (JSON.stringify(requests[0]?.params ?? {}).length > endpoint.limits.initialize)
    return 'initialize-too-large';
  return endpoint.admit() ? undefined : 'too-many-starts';
}

interface StartedSession {
  readonly request: RpcRequest;
  /** The `initialize` as it came, and what was repaired in it. */
  readonly begun: Pick<HttpEvent, 'params' | 'repairs'>;
  readonly response: RpcResponse | undefined;
  readonly reply: Reply;
  readonly sessionId: string;
}

async function settle(endpoint: Endpoint, exchange: Exchange, beginning: StartedSession): Promise<void> {
  const { request, begun, response, reply, sessionId: id } = beginning;
  // A client that has disconnected would never use its session.
  if (response === undefined || exchange.response.destroyed) return;
  const protocolVersion = versionOf(response);
  if (protocolVersion === undefined) {
    reply.finish(response);
    return;
  }
  try {
    const { principal } = exchange;
    const record = await endpoint.store.create({
      id,
      principal,
      protocolVersion,
      initialize: request.params,
    });
    if (record === undefined) {
      endpoint.turnAway(exchange, 'too-many-sessions', { id: request.id });
      return;
    }
    endpoint.record({ kind: 'session-begun', principal, session: id, ...begun });
    exchange.response.setHeader('mcp-session-id', id);
    reply.finish(response);
  } catch {
    // The queued starts would fail for the same reason.
    endpoint.starts.dismiss();
    endpoint.turnAway(exchange, 'sessions-unavailable', { id: request.id });
  }
}

/** Returns the negotiated version; `undefined` if the server refused. */
function versionOf({ result }: RpcResponse): string | undefined {
  const version = isFields(result) ? result['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}
