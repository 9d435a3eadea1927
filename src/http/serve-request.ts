import type { IncomingMessage, ServerResponse } from 'node:http';
import { RootwardError } from '../errors.ts';
import { bearerOf, checkAddress, type OwnNames, pageOf, type TokenCheck } from './exchange/admission.ts';
import { readAccept } from './exchange/read-body.ts';
import { plainHeaders, type RefusalName, refuse } from './exchange/refusals.ts';
import type { Endpoint, Exchange } from './exchange/endpoint.ts';
import { servePost } from './serve-post.ts';
import { endSession } from './session/find-session.ts';
import { serveStream } from './session/serve-stream.ts';

export interface EntryChecks {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly names: OwnNames;
  readonly checkToken: TokenCheck;
  /** True once the endpoint is closing: it still serves, and reports so to health checks. */
  readonly leaving: boolean;
  readonly closing: boolean;
}

/** Checks address, path and token of a request, then serves it. The body is not read before the token was checked. */
export async function serveRequest(
  door: EntryChecks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A client that disconnects is not an error.
  request.on('error', () => {});
  response.on('error', () => {});
  if (door.leaving) response.setHeader('connection', 'close');
  const path = pathOf(request);
  const fault = checkAddress(request, door.names) ?? pathFault(door, request, path);
  const page = isMisaddressed(fault) ? undefined : pageOf(request.headers, door.names);
  if (page !== undefined) admitPage(response, page);
  if (page !== undefined && fault === 'preflight') return answerPreflight(response);
  if (fault === undefined && path === healthPath) return answerHealth(door, response);
  const token = bearerOf(request.headers.authorization);
  const principal = token === undefined ? undefined : door.checkToken(token);
  const refusal =
    fault ?? (principal === undefined ? (token === undefined ? 'no-token' : 'wrong-token') : undefined);
  if (refusal !== undefined || principal === undefined) {
    turnAwayStranger(door, response, refusal ?? 'no-token');
    return;
  }
  const exchange = { request, response, principal, accepts: readAccept(request.headers.accept) };
  if (door.closing) door.endpoint.turnAway(exchange, 'shutting-down');
  else await serve(door.endpoint, exchange);
}

async function serve(endpoint: Endpoint, exchange: Exchange): Promise<void> {
  try {
    const { method } = exchange.request;
    if (method === 'POST') await servePost(endpoint, exchange);
    else if (method === 'GET') await serveStream(endpoint, exchange);
    else if (method === 'DELETE') await endSession(endpoint, exchange);
    else endpoint.turnAway(exchange, 'no-such-method', { headers: { allow: 'POST, DELETE' } });
  } catch (error) {
    endpoint.record({ kind: 'failed', principal: exchange.principal, error });
    const away = RootwardError.is(error, 'SESSIONS_UNAVAILABLE');
    endpoint.turnAway(exchange, away ? 'sessions-unavailable' : 'internal');
  }
}

/** A response to these faults gets no CORS headers: neither the page nor the addressed server is certain. */
function isMisaddressed(fault: RefusalName | undefined): boolean {
  return fault !== undefined && misaddressed.has(fault);
}

const misaddressed: ReadonlySet<RefusalName> = new Set([
  'too-many-headers',
  'repeated-header',
  'absolute-target',
  'foreign-host',
]);

/** Returns the path without the query. */
function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function pathFault(
  { path }: EntryChecks,
  { method }: IncomingMessage,
  asked: string,
): RefusalName | undefined {
  if (method === 'OPTIONS') return 'preflight';
  if (asked === path) return undefined;
  if (asked !== healthPath) return 'no-such-path';
  return method === 'GET' || method === 'HEAD' ? undefined : 'only-health';
}

const healthPath = '/healthz';

/** Answers a health check; it reveals nothing but the status. */
function answerHealth({ leaving, endpoint: { store } }: EntryChecks, response: ServerResponse): void {
  const status = leaving ? 'closing' : 'ok';
  // Redis down is reported but stays 200: a restart would not help.
  const sessions = store.shared ? { sessions: store.available() ? 'ok' : 'away' } : {};
  response.writeHead(leaving ? 503 : 200, { ...plainHeaders, 'content-type': 'application/json' });
  response.end(JSON.stringify({ status, ...sessions }));
}

function turnAwayStranger({ endpoint }: EntryChecks, response: ServerResponse, name: RefusalName): void {
  endpoint.record({ kind: name });
  const headers = name.endsWith('-token')
    ? { 'www-authenticate': 'Bearer' }
    : name === 'only-health'
      ? { allow: 'GET, HEAD' }
      : {};
  refuse(response, name, { headers });
}

/** Headers that a page may send: the token, and those that either protocol era adds. */
const requestHeaders = [
  'authorization',
  'content-type',
  'accept',
  'last-event-id',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
] as const;

/** Headers of a response that a page may read. */
const responseHeaders = ['mcp-session-id', 'www-authenticate', 'retry-after'] as const;

/**
 * Tells the browser that a page which the operator named may read the response. Only that page, and without
 * cookies: access depends on the token alone.
 */
function admitPage(response: ServerResponse, page: string): void {
  response.setHeader('access-control-allow-origin', page);
  response.setHeader('access-control-expose-headers', responseHeaders.join(', '));
  response.setHeader('vary', 'origin');
}

/** Answers the preflight request of such a page. */
function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    ...plainHeaders,
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': requestHeaders.join(', '),
    // Browsers require this before a public page may call a private address.
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  });
  response.end();
}
