import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { isFields } from '../base/fields.ts';
import { RootwardError } from '../errors.ts';
import { envelopeKeys } from '../server/sdk/protocol-server.ts';
import {
  admitPage,
  answerPreflight,
  bearerOf,
  checkAddress,
  type OwnNames,
  pageOf,
  type TokenCheck,
} from './exchange/admission.ts';
import type { Endpoint, Exchange } from './exchange/endpoint.ts';
import { echoId, type RpcId, sortMessages } from './exchange/json-rpc.ts';
import { isJson, readAccept, readBody } from './exchange/read-body.ts';
import { plainHeaders, type RefusalName, refuse } from './exchange/refusals.ts';
import { mendEnvelope } from './exchange/mend-initialize.ts';
import { reject, serveModern } from './modern/serve-modern.ts';
import { endSession, serveSession } from './session/serve-session.ts';
import { serveStream } from './session/serve-stream.ts';

export interface EntryChecks {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly names: OwnNames;
  readonly checkToken: TokenCheck;
  /** True once the endpoint is closing: it still serves, and reports so to health checks. */
  readonly leaving: boolean;
  readonly closing: boolean;
  /** Aborted when the endpoint closes: a body that has not arrived by then is not waited for. */
  readonly ending: AbortSignal;
}

/** Checks address, path and token of a request, then serves it. The body is not read before the token was checked. */
export async function serveRequest(
  entry: EntryChecks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A client that disconnects is not an error.
  request.on('error', () => {});
  response.on('error', () => {});
  if (entry.leaving) response.setHeader('connection', 'close');
  const path = pathOf(request);
  const fault = checkAddress(request, entry.names) ?? pathFault(entry, request, path);
  const page = isMisaddressed(fault) ? undefined : pageOf(request.headers, entry.names);
  if (page !== undefined) admitPage(response, page);
  if (page !== undefined && fault === 'preflight') return answerPreflight(response);
  if (fault === undefined && path === healthPath) return answerHealth(entry, response);
  const token = bearerOf(request.headers.authorization);
  const principal = token === undefined ? undefined : entry.checkToken(token);
  const refusal =
    fault ?? (principal === undefined ? (token === undefined ? 'no-token' : 'wrong-token') : undefined);
  if (refusal !== undefined || principal === undefined) {
    turnAwayStranger(entry, response, refusal ?? 'no-token');
    return;
  }
  const exchange = { request, response, principal, accepts: readAccept(request.headers.accept) };
  if (entry.closing) entry.endpoint.turnAway(exchange, 'shutting-down');
  else await serve(entry, exchange);
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

async function serve(entry: EntryChecks, exchange: Exchange): Promise<void> {
  const { endpoint } = entry;
  try {
    const { method } = exchange.request;
    if (method === 'POST') await servePost(entry, exchange);
    else if (method === 'GET') await serveStream(endpoint, exchange);
    else if (method === 'DELETE') await endSession(endpoint, exchange);
    else endpoint.turnAway(exchange, 'no-such-method', { headers: { allow: 'POST, DELETE' } });
  } catch (error) {
    endpoint.record({ kind: 'failed', principal: exchange.principal, error });
    const away = RootwardError.is(error, 'SESSIONS_UNAVAILABLE');
    endpoint.turnAway(exchange, away ? 'sessions-unavailable' : 'internal');
  }
}

/** Serves a POST of either protocol era; the body tells which. */
async function servePost({ endpoint, ending }: EntryChecks, exchange: Exchange): Promise<void> {
  const { request, accepts } = exchange;
  if (!isJson(request.headers['content-type'])) return endpoint.turnAway(exchange, 'media-type');
  if (!accepts.json && !accepts.stream) return endpoint.turnAway(exchange, 'not-acceptable');
  const wanted = request.headers.expect === undefined ? undefined : () => exchange.response.writeContinue();
  const body = await readBody(request, endpoint.limits, { wanted, ending });
  if ('fault' in body) {
    if (body.fault !== 'gone') endpoint.turnAway(exchange, body.fault);
    return;
  }
  try {
    await (mayBeModern(request.headers, body.value) ? classify : serveLegacy)(endpoint, exchange, body.value);
  } catch (error) {
    fail(endpoint, exchange, { error, id: echoId(body.value) });
  }
}

async function serveLegacy(endpoint: Endpoint, exchange: Exchange, body: unknown): Promise<void> {
  const posted = sortMessages(body);
  if (posted === undefined) endpoint.turnAway(exchange, 'not-json-rpc', { id: echoId(body) });
  else await serveSession(endpoint, exchange, posted);
}

/** The SDK's classification is expensive, so it runs only on requests that could be modern. */
function mayBeModern(headers: IncomingHttpHeaders, body: unknown): boolean {
  const version = headers['mcp-protocol-version'];
  if (typeof version === 'string' && version >= '2026') return true;
  return [body].flat().some(claimsRevision);
}

function claimsRevision(message: unknown): boolean {
  const params = isFields(message) ? message['params'] : undefined;
  const meta = isFields(params) ? params['_meta'] : undefined;
  return isFields(meta) && envelopeKeys.revision in meta;
}

async function classify(endpoint: Endpoint, exchange: Exchange, posted: unknown): Promise<void> {
  const { headers } = exchange.request;
  const { message: body, repairs } = mendEnvelope(posted);
  if (repairs.length > 0)
    endpoint.record({ kind: 'request-repaired', principal: exchange.principal, repairs });
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    ...headerField('protocolVersionHeader', headers['mcp-protocol-version']),
    ...headerField('mcpMethodHeader', headers['mcp-method']),
    ...headerField('mcpNameHeader', headers['mcp-name']),
    body,
  });
  switch (outcome.kind) {
    case 'modern':
      return serveModern(endpoint, exchange, outcome);
    case 'legacy':
      return serveLegacy(endpoint, exchange, body);
    case 'reject': {
      const { code, message, data } = outcome;
      return reject(exchange, { code, message, data }, body);
    }
  }
}

function headerField<Name extends string>(
  name: Name,
  value: string | string[] | undefined,
): { [Key in Name]?: string } {
  return (typeof value === 'string' ? { [name]: value } : {}) as { [Key in Name]?: string };
}

interface FailedRequest {
  readonly error: unknown;
  readonly id: RpcId | undefined;
}

/** The client learns only that something failed; the error goes to `record`. */
function fail(endpoint: Endpoint, exchange: Exchange, { error, id }: FailedRequest): void {
  if (exchange.response.destroyed) return;
  endpoint.record({ kind: 'failed', principal: exchange.principal, error });
  const away = (error as { code?: unknown } | undefined)?.code === 'SESSIONS_UNAVAILABLE';
  endpoint.turnAway(exchange, away ? 'sessions-unavailable' : 'internal', { id });
}
