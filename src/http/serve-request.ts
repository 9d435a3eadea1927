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
  /** Told to end: still serving for a moment, and saying so. */
  readonly leaving: boolean;
  readonly closing: boolean;
}

/** From the door to the one who serves. Nothing of the body is read before the sender is known. */
export async function serveRequest(
  door: EntryChecks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A client that breaks off is no error of ours.
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

/** Nothing is said to a page in an answer to these: it is not known which page asked, or which server. */
function isMisaddressed(fault: RefusalName | undefined): boolean {
  return fault !== undefined && misaddressed.has(fault);
}

const misaddressed: ReadonlySet<RefusalName> = new Set([
  'too-many-headers',
  'repeated-header',
  'absolute-target',
  'foreign-host',
]);

/** Without what stands behind a question mark. */
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

/** For whoever watches over this process; it tells nothing but that. */
function answerHealth({ leaving, endpoint: { store } }: EntryChecks, response: ServerResponse): void {
  const status = leaving ? 'closing' : 'ok';
  // Nobody gets better by being started again because the sessions are away: that is told, and no failure.
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

/** What a page needs to send, by name: the token, and what either era has beside the body. */
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

/** What a page may read of an answer, beyond its body. */
const responseHeaders = ['mcp-session-id', 'www-authenticate', 'retry-after'] as const;

/**
 * Tells a browser that a page which the operator named may read the answer. The page alone, never everybody, and
 * without cookies: what lets it in is the token.
 */
function admitPage(response: ServerResponse, page: string): void {
  response.setHeader('access-control-allow-origin', page);
  response.setHeader('access-control-expose-headers', responseHeaders.join(', '));
  response.setHeader('vary', 'origin');
}

/** Answers the question that a browser asks before it lets such a page send anything. */
function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    ...plainHeaders,
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': requestHeaders.join(', '),
    // A page of the internet that calls this machine has to be allowed to by name.
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  });
  response.end();
}
