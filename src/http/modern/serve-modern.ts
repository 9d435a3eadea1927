import type { IncomingHttpHeaders } from 'node:http';
import type { InboundModernRoute } from '@modelcontextprotocol/server';
import { createMemory } from '../../server/connection/connection-memory.ts';
import { echoId, isRequest, type RpcNotification, type RpcRequest } from '../exchange/json-rpc.ts';
import { plainHeaders } from '../exchange/refusals.ts';
import type { Reply } from '../exchange/reply.ts';
import { closeAfter, closeServer, openServer, type ServerLike } from '../exchange/server-like.ts';
import { giveUp, type Endpoint, type Exchange } from '../exchange/endpoint.ts';
import { ModernTransport } from './modern-transport.ts';
import { listenMethod, serveSubscription } from './serve-subscription.ts';

const served = ['2026-07-28'] as const;

/** Serves one message of 2026-07-28, which has no sessions: nothing is kept afterwards. */
export async function serveModern(
  endpoint: Endpoint,
  exchange: Exchange,
  route: InboundModernRoute,
): Promise<void> {
  const message = route.message as RpcRequest | RpcNotification;
  const { revision } = route.classification;
  if (!served.some((version) => version === revision)) {
    const data = { supported: served, requested: revision ?? 'unknown' };
    reject(
      exchange,
      { code: -32_022, message: `Unsupported protocol version: ${data.requested}`, data },
      message,
    );
    return;
  }
  if (!isRequest(message)) {
    await tell(endpoint, exchange, route);
    return;
  }
  const mismatch = checkStandardHeaders(exchange.request.headers, message);
  if (mismatch !== undefined)
    reject(exchange, { code: -32_020, message: `Bad Request: ${mismatch}` }, message);
  else if (message.method === listenMethod && endpoint.announces !== undefined)
    serveSubscription(endpoint, exchange, { message, announces: endpoint.announces });
  else if (endpoint.open >= endpoint.limits.calls)
    endpoint.turnAway(exchange, 'too-many-calls', { id: message.id });
  else await answer(endpoint, exchange, { message, route });
}

interface RoutedRequest {
  readonly message: RpcRequest;
  readonly route: InboundModernRoute;
}

async function answer(
  endpoint: Endpoint,
  exchange: Exchange,
  { message, route }: RoutedRequest,
): Promise<void> {
  const reply: Reply = endpoint.openReply(exchange, {
    late: () => {
      endpoint.record({ kind: 'late-call', principal: exchange.principal });
      reply.finish(giveUp(message.id, 'The call took too long'));
    },
    cut: () =>
      reply.finish(giveUp(message.id, 'The server is shutting down, and the call was not completed')),
  });
  const transport = new ModernTransport(route.classification, reply, (call) =>
    endpoint.meters.countCall(call),
  );
  const server = await open(endpoint, exchange, transport);
  // In this revision a client cancels by closing the connection.
  if (closeAfter(exchange.response, server)) transport.deliver(message);
}

/** Passes a notification to a server; it gets no response. */
async function tell(
  endpoint: Endpoint,
  exchange: Exchange,
  { message, classification }: InboundModernRoute,
): Promise<void> {
  const transport = new ModernTransport(classification);
  const server = await open(endpoint, exchange, transport);
  transport.deliver(message);
  exchange.response.writeHead(202, plainHeaders).end();
  setImmediate(() => void closeServer(server));
}

function open(endpoint: Endpoint, { principal }: Exchange, transport: ModernTransport): Promise<ServerLike> {
  const about = { ...endpoint.connectionFor(principal), era: 'modern', sessionId: undefined } as const;
  return openServer(endpoint.createServer, { ...about, memory: createMemory() }, transport);
}

/** Sends a protocol error with status 400, as the revision requires. */
export function reject(
  { response }: Exchange,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
  message: unknown,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: echoId(message), error });
  response
    .writeHead(400, {
      ...plainHeaders,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

/** The parameter that the `Mcp-Name` header repeats. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * Returns the fault in the headers that 2026-07-28 requires and the SDK's classification does not check: missing ones
 * and the name. Returns `undefined` if there is none.
 *
 * Not checked: `Mcp-Param-*`, which repeats arguments that a tool's schema marks. Rootward's tools mark none.
 */
export function checkStandardHeaders(headers: IncomingHttpHeaders, request: RpcRequest): string | undefined {
  if (headers['mcp-protocol-version'] === undefined) return 'the MCP-Protocol-Version header is missing';
  if (headers['mcp-method'] === undefined) return 'the Mcp-Method header is missing';
  const field = named.get(request.method);
  const value = field === undefined ? undefined : request.params?.[field];
  if (typeof value !== 'string') return undefined;
  const header = headers['mcp-name'];
  if (typeof header !== 'string') return 'the Mcp-Name header is missing';
  return decodeHeader(header.trim()) === value ? undefined : 'the Mcp-Name header differs from the body';
}

const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** A value that is not ASCII is sent as Base64 of its UTF-8. */
function decodeHeader(value: string): string | undefined {
  if (!value.startsWith('=?base64?')) return value;
  const [, text] = encoded.exec(value) ?? [];
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
}
