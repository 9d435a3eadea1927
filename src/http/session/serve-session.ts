import { createHash } from 'node:crypto';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { isFields } from '../../base/fields.ts';
import type { SessionRecord } from '../../sessions/record/session-store.ts';
import type { Incoming, RpcRequest } from '../exchange/json-rpc.ts';
import { plainHeaders, type RefusalName } from '../exchange/refusals.ts';
import type { Site, Visit } from '../exchange/site.ts';
import { nodeOf, questionOf } from '../exchange/waiting-answers.ts';
import { answerCalls } from './answer-calls.ts';
import { beginSession } from './begin-session.ts';
import { findSession, forgetClaim } from './find-session.ts';
import { route, routeAnswers } from './route-answers.ts';
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
  if (await wasDirect(site, visit, incoming)) return;
  const claim = {
    requests: onceOnly(site, incoming).map(fingerprint),
    arrival: Math.floor(Math.random() * 4_096),
  };
  const record = await findSession(site, visit, claim);
  if (record === undefined) return;
  const { id: session } = record;
  const fault =
    faultOf(site, visit, record, incoming) ??
    (record.repeated === true ? 'repeated' : undefined) ??
    (await routeAnswers(site, record, incoming.responses));
  if (fault !== undefined) {
    // Of a single one that came before nothing was remembered now: what there is belongs to the first.
    if (record.repeated !== true || claim.requests.length > 1) await forgetClaim(site, session, claim);
    site.turnAway(visit, fault, { session, ...(request === undefined ? {} : { id: request.id }) });
    return;
  }
  const current = await takeNotifications(site, record, incoming.notifications);
  if (incoming.requests.length > 0) await answerCalls(site, visit, current, incoming);
  else visit.response.writeHead(202, plainHeaders).end();
}

/**
 * An answer that comes alone goes to who asked without a look at the session: its id holds a digest of the
 * session and the token that were asked. Whatever is odd about it goes the long way and is told there.
 */
async function wasDirect(site: Site, visit: Visit, incoming: Incoming): Promise<boolean> {
  const { batch, requests, notifications, responses } = incoming;
  const [response] = responses;
  const { 'mcp-session-id': id, 'mcp-protocol-version': version } = visit.request.headers;
  if (batch || response === undefined || requests.length + notifications.length > 0) return false;
  if (typeof id !== 'string' || (typeof version === 'string' && !isSupported(version))) return false;
  const { principal } = visit;
  if (!isFields(nodeOf(site.store, questionOf(response) ?? '', { session: id, principal }))) return false;
  const fault = await route(site, { id, principal }, response);
  if (fault === undefined) visit.response.writeHead(202, plainHeaders).end();
  // A session that is over is another matter than a question that nobody put.
  else if ((await findSession(site, visit)) !== undefined) site.turnAway(visit, fault, { session: id });
  return true;
}

function isSupported(version: string): boolean {
  return SUPPORTED_PROTOCOL_VERSIONS.includes(version);
}

function faultOf(
  { limits, calls }: Site,
  { request }: Visit,
  { id: session, protocolVersion }: SessionRecord,
  { batch, requests, notifications, responses }: Incoming,
): RefusalName | undefined {
  const version = request.headers['mcp-protocol-version'];
  if (typeof version === 'string' && !isSupported(version)) return 'unknown-version';
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
function onceOnly({ repeatable }: Site, { requests }: Incoming): readonly RpcRequest[] {
  return requests.filter((request) => request.method === 'tools/call' && !repeatable(request));
}

/** Whoever repeats a request sends the same bytes; a client that counts anew from one does not. */
function fingerprint(request: RpcRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 16);
}
