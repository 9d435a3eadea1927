import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { checkAddress, type OwnNames } from '../http/check-address.ts';
import { readBody } from '../http/read-body.ts';
import { changes } from './changes.ts';
import type { Desk } from './desk.ts';
import type { EventHub } from './event-hub.ts';
import { looks, readFilter } from './looks.ts';
import type { PageFile } from './page-files.ts';
import { pageHeaders, type PageRefusal, refusePage, send, sendError, sendJson } from './respond.ts';
import { isSameSecret, type PageSessions } from './sessions.ts';

/** What a request is answered with. */
export interface PageSite {
  readonly names: OwnNames;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly sessions: PageSessions;
  readonly desk: Desk;
  readonly hub: EventHub;
  /** Cookies do not tell ports apart, so the port is in the name. */
  readonly cookieName: string;
  /** Tells one start of the server from the next. */
  readonly id: string;
  readonly report: (text: string) => void;
  /** A session was opened: it has to be kept. */
  readonly opened: () => void;
}

/** Header that only the page itself can send: it needs a secret, and another site would need a permission. */
export const proofHeader = 'x-rootward-proof';

const bodyLimits = { body: 256 * 1024, bodyMs: 5_000 } as const;

/** Answers one request. First who asks and from where, then what. */
export async function servePage(
  site: PageSite,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const refusal = refusalFor(site, request);
    if (refusal !== undefined) {
      refusePage(response, refusal);
      return;
    }
    const url = new URL(request.url ?? '/', 'http://page');
    if (request.method === 'GET') serveGet(site, url, { request, response });
    else await servePost(site, url, { request, response });
  } catch (error) {
    sendError(response, error, site.report);
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function refusalFor({ names }: PageSite, { headers, method }: IncomingMessage): PageRefusal | undefined {
  const foreign = checkAddress(headers, names);
  if (foreign === 'foreign-host' || foreign === 'foreign-origin' || foreign === 'cross-site') return foreign;
  if (method === 'OPTIONS') return 'preflight';
  return method === 'GET' || method === 'POST' ? undefined : 'no-such-method';
}

function serveGet(site: PageSite, url: URL, { request, response }: Exchange): void {
  const file = site.files.get(url.pathname);
  if (file !== undefined) {
    send(response, 200, file.bytes, { 'content-type': file.type });
    return;
  }
  if (!url.pathname.startsWith('/api/')) {
    refusePage(response, 'no-such-path');
    return;
  }
  const proof = site.sessions.proofFor(cookieIn(request, site.cookieName));
  if (proof === undefined) refusePage(response, 'no-session');
  else if (url.pathname === '/api/session') sendJson(response, { proof });
  else if (url.pathname === '/api/events') site.hub.open(response, { kind: 'hello', server: site.id });
  else if (url.pathname === '/api/audit/export') exportAudit(site, url, response);
  else void answerLook(site, url, response);
}

async function answerLook(site: PageSite, url: URL, response: ServerResponse): Promise<void> {
  const look = Object.hasOwn(looks, url.pathname) ? looks[url.pathname] : undefined;
  if (look === undefined) {
    refusePage(response, 'no-such-path');
    return;
  }
  try {
    sendJson(response, await look(site.desk, url.searchParams));
  } catch (error) {
    sendError(response, error, site.report);
  }
}

function exportAudit({ desk }: PageSite, url: URL, response: ServerResponse): void {
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': 'application/jsonl; charset=utf-8',
    'content-disposition': 'attachment; filename="rootward-audit.jsonl"',
  });
  Readable.from(inPieces(desk.audit.lines(readFilter(url.searchParams)))).pipe(response);
}

/** Many lines at once: one by one would take far longer. */
function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < 64 * 1024) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

async function servePost(site: PageSite, url: URL, { request, response }: Exchange): Promise<void> {
  const isEntry = url.pathname === '/api/session';
  const refusal = isEntry ? undefined : proofRefusal(site, request);
  if (refusal !== undefined) {
    refusePage(response, refusal);
    return;
  }
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    refusePage(response, 'media-type');
    return;
  }
  const body = await readBody(request, bodyLimits);
  if ('fault' in body) refusePage(response, 'bad-body');
  else if (isEntry) openSession(site, body.value, response);
  else await answerChange(site, { path: url.pathname, value: body.value }, response);
}

function proofRefusal({ sessions, cookieName }: PageSite, request: IncomingMessage): PageRefusal | undefined {
  const proof = sessions.proofFor(cookieIn(request, cookieName));
  if (proof === undefined) return 'no-session';
  const given = request.headers[proofHeader];
  return typeof given === 'string' && isSameSecret(given, proof) ? undefined : 'no-proof';
}

function openSession(
  { sessions, cookieName, opened }: PageSite,
  body: unknown,
  response: ServerResponse,
): void {
  const { token } = (body ?? {}) as { readonly token?: unknown };
  const cookie = typeof token === 'string' ? sessions.redeem(token) : undefined;
  if (cookie === undefined) {
    refusePage(response, 'used-link');
    return;
  }
  opened();
  const header = `${cookieName}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
  sendJson(response, { proof: sessions.proofFor(cookie) }, { 'set-cookie': header });
}

async function answerChange(
  { desk }: PageSite,
  { path, value }: { readonly path: string; readonly value: unknown },
  response: ServerResponse,
): Promise<void> {
  const change = Object.hasOwn(changes, path) ? changes[path] : undefined;
  if (change === undefined) {
    refusePage(response, 'no-such-path');
    return;
  }
  const input = change.input.safeParse(value);
  if (input.success) sendJson(response, await change.run(desk, input.data));
  else refusePage(response, 'bad-input', input.error.issues[0]?.message);
}

function cookieIn({ headers }: IncomingMessage, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
