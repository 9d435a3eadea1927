import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { isFields } from '../base/fields.ts';
import { echoId, type RpcId, sortMessages } from './exchange/json-rpc.ts';
import { isJson, readBody } from './exchange/read-body.ts';
import type { Site, Visit } from './exchange/site.ts';
import { reject, serveModern } from './modern/serve-modern.ts';
import { serveSession } from './session/serve-session.ts';

/** Serves a POST of either era: which one it is, its body says. */
export async function servePost(site: Site, visit: Visit): Promise<void> {
  const { request, accepts } = visit;
  if (!isJson(request.headers['content-type'])) return site.turnAway(visit, 'media-type');
  if (!accepts.json && !accepts.stream) return site.turnAway(visit, 'not-acceptable');
  const goOn = request.headers.expect === undefined ? undefined : () => visit.response.writeContinue();
  const body = await readBody(request, site.limits, goOn);
  if ('fault' in body) {
    if (body.fault !== 'gone') site.turnAway(visit, body.fault);
    return;
  }
  try {
    await (mayBeModern(request.headers, body.value) ? classify : serveLegacy)(site, visit, body.value);
  } catch (error) {
    fail(site, visit, { error, id: echoId(body.value) });
  }
}

async function serveLegacy(site: Site, visit: Visit, body: unknown): Promise<void> {
  const incoming = sortMessages(body);
  if (incoming === undefined) site.turnAway(visit, 'not-json-rpc', { id: echoId(body) });
  else await serveSession(site, visit, incoming);
}

/** The classification of the SDK costs something, so that it is asked only where it could say yes. */
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

async function classify(site: Site, visit: Visit, body: unknown): Promise<void> {
  const { headers } = visit.request;
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    ...headerField('protocolVersionHeader', headers['mcp-protocol-version']),
    ...headerField('mcpMethodHeader', headers['mcp-method']),
    ...headerField('mcpNameHeader', headers['mcp-name']),
    body,
  });
  switch (outcome.kind) {
    case 'modern':
      return serveModern(site, visit, outcome);
    case 'legacy':
      return serveLegacy(site, visit, body);
    case 'reject': {
      const { code, message, data } = outcome;
      return reject(visit, { code, message, data }, body);
    }
  }
}

function headerField<Name extends string>(
  name: Name,
  value: string | string[] | undefined,
): { [Key in Name]?: string } {
  return (typeof value === 'string' ? { [name]: value } : {}) as { [Key in Name]?: string };
}

interface Failure {
  readonly error: unknown;
  readonly id: RpcId | null;
}

/** Whatever went wrong, the client learns that something did and no more. */
function fail(site: Site, visit: Visit, { error, id }: Failure): void {
  if (visit.response.destroyed) return;
  site.record({ kind: 'failed', principal: visit.principal, error });
  const away = (error as { code?: unknown } | undefined)?.code === 'SESSIONS_UNAVAILABLE';
  site.turnAway(visit, away ? 'sessions-unavailable' : 'internal', { id });
}
