import { createHash } from 'node:crypto';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { SessionRecord } from '../sessions/session-store.ts';
import { answerCalls } from './answer-calls.ts';
import { beginSession } from './begin-session.ts';
import { findSession } from './find-session.ts';
import type { Incoming, RpcRequest } from './json-rpc.ts';
import { plainHeaders, type RefusalName } from './refusals.ts';
import { routeAnswers } from './route-answers.ts';
import type { Site, Visit } from './site.ts';
import { takeNotifications } from './take-notifications.ts';

/** The last revision with batches. */
const lastWithBatches = '2025-03-26';

/** Serves a POST of the protocol with sessions, 2025-11-25 and before. */
export async function serveSession(site: Site, visit: Visit, incoming: Incoming): Promise<void> {
  if (incoming.requests.some(({ method }) => method === 'initialize')) {
    await beginSession(site, visit, incoming);
    return;
  }
  const [request] = incoming.requests;
  // Before anything is remembered: whoever is sent away for now comes back with the same request.
  if (isBusy(site, visit, incoming)) {
    site.turnAway(visit, 'too-many-calls', request === undefined ? {} : { id: request.id });
    return;
  }
  const record = await findSession(site, visit, incoming.requests.filter(isOnce).map(fingerprint));
  if (record === undefined) return;
  const { id: session } = record;
  const fault =
    faultOf(site, visit, record, incoming) ??
    (record.repeated === true ? 'repeated' : undefined) ??
    (await routeAnswers(site, record, incoming.responses));
  if (fault !== undefined) {
    site.turnAway(visit, fault, { session, ...(request === undefined ? {} : { id: request.id }) });
    return;
  }
  const current = await takeNotifications(site, record, incoming.notifications);
  if (incoming.requests.length > 0) await answerCalls(site, visit, current, incoming);
  else visit.response.writeHead(202, plainHeaders).end();
}

function faultOf(
  { limits, calls }: Site,
  { request }: Visit,
  { id: session, protocolVersion }: SessionRecord,
  { batch, requests, notifications, responses }: Incoming,
): RefusalName | undefined {
  const version = request.headers['mcp-protocol-version'];
  if (typeof version === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return 'unknown-version';
  if (batch && protocolVersion > lastWithBatches) return 'no-batches';
  if (requests.length + notifications.length + responses.length > limits.batch) return 'batch-too-long';
  const ids = new Set(requests.map(({ id }) => id));
  if (ids.size < requests.length) return 'id-in-use';
  return requests.some(({ id }) => calls.find(session, id) !== undefined) ? 'id-in-use' : undefined;
}

function isBusy({ limits, calls, open }: Site, { request }: Visit, { requests }: Incoming): boolean {
  if (requests.length === 0) return false;
  const session = String(request.headers['mcp-session-id']);
  return open >= limits.calls || calls.count(session) + requests.length > limits.callsPerSession;
}

/** What may do something, and must not do it twice because somebody between us repeats it. */
function isOnce({ method }: RpcRequest): boolean {
  return method === 'tools/call';
}

/** Whoever repeats a request sends the same bytes; a client that counts anew from one does not. */
function fingerprint(request: RpcRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 16);
}
