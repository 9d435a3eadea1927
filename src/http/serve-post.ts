import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { isFields } from '../base/fields.ts';
import { echoId, type RpcId, sortMessages } from './exchange/json-rpc.ts';
import { isJson, readBody } from './exchange/read-body.ts';
import type { Endpoint, Exchange } from './exchange/endpoint.ts';
import { reject, serveModern } from './modern/serve-modern.ts';
import { serveSession } from './session/serve-session.ts';

/** Serves a POST of either protocol era; the body tells which. */
export async function servePost(endpoint: Endpoint, exchange: Exchange): Promise<void> {
  const { request, accepts } = exchange;
  if (!isJson(request.headers['content-type'])) return endpoint.turnAway(exchange, 'media-type');
  if (!accepts.json && !accepts.stream) return endpoint.turnAway(exchange, 'not-acceptable');
  const goOn = request.headers.expect === undefined ? undefined : () => exchange.response.writeContinue();
  const body = await readBody(request, endpoint.limits, goOn);
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
  return isFields(meta) && PROTOCOL_VERSION_META_KEY in meta;
}

async function classify(endpoint: Endpoint, exchange: Exchange, body: unknown): Promise<void> {
  const { headers } = exchange.request;
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
  readonly id: RpcId | null;
}

/** The client learns only that something failed; the error goes to `record`. */
function fail(endpoint: Endpoint, exchange: Exchange, { error, id }: FailedRequest): void {
  if (exchange.response.destroyed) return;
  endpoint.record({ kind: 'failed', principal: exchange.principal, error });
  const away = (error as { code?: unknown } | undefined)?.code === 'SESSIONS_UNAVAILABLE';
  endpoint.turnAway(exchange, away ? 'sessions-unavailable' : 'internal', { id });
}
