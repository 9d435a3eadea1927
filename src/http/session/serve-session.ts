import { createHash } from 'node:crypto';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { isFields } from '../../base/fields.ts';
import type { SessionRecord } from '../../sessions/record/session-store.ts';
import type { PostedMessages, RpcRequest } from '../exchange/json-rpc.ts';
import { plainHeaders, type RefusalName } from '../exchange/refusals.ts';
import type { Endpoint, Exchange } from '../exchange/endpoint.ts';
import { nodeOf, questionOf } from '../exchange/waiting-answers.ts';
import { answerPost } from './answer-post.ts';
import { beginSession } from './begin-session.ts';
import { findSession, forgetClaim } from './find-session.ts';
import { route, routeAnswers } from './route-answers.ts';
import { takeNotifications } from './take-notifications.ts';

/** The last revision with batches. */
const lastWithBatches = '2025-03-26';

/** Serves a POST of the protocol with sessions, 2025-11-25 and before. */
export async function serveSession(
  endpoint: Endpoint,
  exchange: Exchange,
  posted: PostedMessages,
): Promise<void> {
  if (posted.requests.some(({ method }) => method === 'initialize')) {
    await beginSession(endpoint, exchange, posted);
    return;
  }
  const [request] = posted.requests;
  // Checked before the request is claimed: a client that is refused for now will send it again.
  if (isBusy(endpoint, exchange, posted)) {
    endpoint.turnAway(exchange, 'too-many-calls', request === undefined ? {} : { id: request.id });
    return;
  }
  if (await wasDirect(endpoint, exchange, posted)) return;
  const claim = {
    requests: onceOnly(endpoint, posted).map(fingerprint),
    arrival: Math.floor(Math.random() * 4_096),
  };
  const record = await findSession(endpoint, exchange, claim);
  if (record === undefined) return;
  const { id: session } = record;
  const fault =
    faultOf(endpoint, exchange, record, posted) ??
    (record.repeated === true ? 'repeated' : undefined) ??
    (await routeAnswers(endpoint, record, posted.responses));
  if (fault !== undefined) {
    // A single repeated request claimed nothing now; the existing claim belongs to the first copy.
    if (record.repeated !== true || claim.requests.length > 1) await forgetClaim(endpoint, session, claim);
    endpoint.turnAway(exchange, fault, { session, ...(request === undefined ? {} : { id: request.id }) });
    return;
  }
  const current = await takeNotifications(endpoint, record, posted.notifications);
  if (posted.requests.length > 0) await answerPost(endpoint, exchange, current, posted);
  else exchange.response.writeHead(202, plainHeaders).end();
}

/**
 * Sends a single answer to the node that asked without a session lookup: its id contains a digest of the session and
 * the principal that were asked. Anything unusual takes the long way, where it is refused properly.
 */
async function wasDirect(endpoint: Endpoint, exchange: Exchange, posted: PostedMessages): Promise<boolean> {
  const { batch, requests, notifications, responses } = posted;
  const [response] = responses;
  const { 'mcp-session-id': id, 'mcp-protocol-version': version } = exchange.request.headers;
  if (batch || response === undefined || requests.length + notifications.length > 0) return false;
  if (typeof id !== 'string' || (typeof version === 'string' && !isSupported(version))) return false;
  const { principal } = exchange;
  if (!isFields(nodeOf(endpoint.store, questionOf(response) ?? '', { session: id, principal }))) return false;
  const fault = await route(endpoint, { id, principal }, response);
  if (fault === undefined) exchange.response.writeHead(202, plainHeaders).end();
  // Tells an ended session from an unknown question.
  else if ((await findSession(endpoint, exchange)) !== undefined)
    endpoint.turnAway(exchange, fault, { session: id });
  return true;
}

function isSupported(version: string): boolean {
  return SUPPORTED_PROTOCOL_VERSIONS.includes(version);
}

function faultOf(
  { limits, calls }: Endpoint,
  { request }: Exchange,
  { id: session, protocolVersion }: SessionRecord,
  { batch, requests, notifications, responses }: PostedMessages,
): RefusalName | undefined {
  const version = request.headers['mcp-protocol-version'];
  if (typeof version === 'string' && !isSupported(version)) return 'unknown-version';
  if (batch && protocolVersion > lastWithBatches) return 'no-batches';
  if (requests.length + notifications.length + responses.length > limits.batch) return 'batch-too-long';
  const ids = new Set(requests.map(({ id }) => id));
  if (ids.size < requests.length) return 'id-in-use';
  return requests.some(({ id }) => calls.find(session, id) !== undefined) ? 'id-in-use' : undefined;
}

function isBusy(
  { limits, calls, open }: Endpoint,
  { request }: Exchange,
  { requests }: PostedMessages,
): boolean {
  if (requests.length === 0) return false;
  const session = String(request.headers['mcp-session-id']);
  return open >= limits.calls || calls.count(session) + requests.length > limits.callsPerSession;
}

/** Returns the requests that may have side effects, which must not run twice if a proxy repeats them. */
function onceOnly({ repeatable }: Endpoint, { requests }: PostedMessages): readonly RpcRequest[] {
  return requests.filter((request) => request.method === 'tools/call' && !repeatable(request));
}

/** A repeated request has the same bytes; a restarted client that counts its ids from one sends others. */
function fingerprint(request: RpcRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 16);
}
