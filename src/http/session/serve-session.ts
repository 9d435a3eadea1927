import { createHash } from 'node:crypto';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { isFields } from '../../base/fields.ts';
import type { ArrivalMark, SessionRecord } from '../../sessions/record/session-store.ts';
import { type Endpoint, type Exchange, sessionEnded } from '../exchange/endpoint.ts';
import type {
  PostedMessages,
  RpcId,
  RpcNotification,
  RpcRequest,
  RpcResponse,
} from '../exchange/json-rpc.ts';
import { plainHeaders, type RefusalName } from '../exchange/refusals.ts';
import { nodeOf, questionOf, routeAnswer } from '../exchange/waiting-answers.ts';
import { answerPost, notifyServer } from './answer-post.ts';
import { beginSession } from './begin-session.ts';
import { cancelledId } from './session-transport.ts';

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

function isBusy(
  { limits, calls, open }: Endpoint,
  { request }: Exchange,
  { requests }: PostedMessages,
): boolean {
  if (requests.length === 0) return false;
  const session = String(request.headers['mcp-session-id']);
  return open >= limits.calls || calls.count(session) + requests.length > limits.callsPerSession;
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
  const fault = await routeAnswer(endpoint.store, { id, principal }, response);
  if (fault === undefined) exchange.response.writeHead(202, plainHeaders).end();
  // Tells an ended session from an unknown question.
  else if ((await findSession(endpoint, exchange)) !== undefined)
    endpoint.turnAway(exchange, fault, { session: id });
  return true;
}

function isSupported(version: string): boolean {
  return SUPPORTED_PROTOCOL_VERSIONS.includes(version);
}

/** Returns the requests that may have side effects, which must not run twice if a proxy repeats them. */
function onceOnly({ repeatable }: Endpoint, { requests }: PostedMessages): readonly RpcRequest[] {
  return requests.filter((request) => request.method === 'tools/call' && !repeatable(request));
}

/** A repeated request has the same bytes; a restarted client that counts its ids from one sends others. */
function fingerprint(request: RpcRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 16);
}

/** Fingerprints of requests that must run only once, and the mark of this arrival. */
interface RequestClaim {
  readonly requests: readonly string[];
  readonly arrival: ArrivalMark;
}

/** Finds the session that a request names, if it belongs to the sender. Otherwise refuses the request. */
export async function findSession(
  endpoint: Endpoint,
  exchange: Exchange,
  claim: RequestClaim = { requests: [], arrival: 0 },
): Promise<SessionRecord | undefined> {
  const id = exchange.request.headers['mcp-session-id'];
  if (typeof id !== 'string') {
    endpoint.turnAway(exchange, 'no-session');
    return undefined;
  }
  const record = await endpoint.store.touch(id, claim.requests, claim.arrival);
  if (record?.principal === exchange.principal) return record;
  if (record !== undefined) await forgetClaim(endpoint, id, claim);
  endpoint.turnAway(exchange, record === undefined ? 'unknown-session' : 'foreign-session', { session: id });
  return undefined;
}

/** Removes the fingerprints of requests that were refused, so that the client may send them again. */
async function forgetClaim(
  { store }: Endpoint,
  session: string,
  { requests, arrival }: RequestClaim,
): Promise<void> {
  if (requests.length > 0) await store.forget(session, requests, arrival).catch(() => {});
}

/** The last revision with batches. */
const lastWithBatches = '2025-03-26';

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

/**
 * Sends the answers of a client to the nodes that asked. Delivers as many as it can; returns a refusal if one of them
 * matches no question.
 */
async function routeAnswers(
  endpoint: Endpoint,
  record: SessionRecord,
  responses: readonly RpcResponse[],
): Promise<RefusalName | undefined> {
  let refused: RefusalName | undefined;
  for (const message of responses) {
    const refusal = await routeAnswer(endpoint.store, record, message);
    const { id: session, principal } = record;
    if (refusal !== undefined) endpoint.record({ kind: 'stray-response', principal, session, message });
    refused = refusal ?? refused;
  }
  return refused;
}

/**
 * Takes the notifications of a client. A change of roots is known on every node before this returns, so that no call
 * sent after the 202 can see the old ones. Returns the updated record.
 */
async function takeNotifications(
  endpoint: Endpoint,
  record: SessionRecord,
  notifications: readonly RpcNotification[],
): Promise<SessionRecord> {
  const rest: RpcNotification[] = [];
  let { generation } = record;
  for (const notification of notifications) {
    const cancelled = cancelledId(notification);
    if (cancelled !== undefined) await cancel(endpoint, record, { id: cancelled, notification });
    else if (notification.method === 'notifications/progress')
      await routeAnswer(endpoint.store, record, notification);
    else rest.push(notification);
    if (notification.method !== 'notifications/roots/list_changed') continue;
    generation = (await endpoint.store.invalidate(record.id)) ?? generation;
  }
  const current = generation === record.generation ? record : { ...record, generation };
  if (rest.length > 0) await notifyServer(endpoint, current, rest);
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

/** Ends a session: abandons its calls, ends its stream and removes its record. */
export async function endSession(endpoint: Endpoint, exchange: Exchange): Promise<void> {
  const record = await findSession(endpoint, exchange);
  if (record === undefined) return;
  const { id, principal } = record;
  await endpoint.store.remove(id);
  endpoint.calls.abandon(id);
  endpoint.streams.end(id);
  await endpoint.announce(record, sessionEnded);
  endpoint.record({ kind: 'session-ended', principal, session: id });
  exchange.response.writeHead(204, plainHeaders).end();
}
