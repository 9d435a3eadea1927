import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { checkAddress, type OwnNames } from '../http/exchange/admission.ts';
import { readBody } from '../http/exchange/read-body.ts';
import type { PageState } from './state/page-state.ts';
import { looks, readFilter } from './state/looks.ts';
import { changes } from './state/page-changes.ts';
import type { PageFile } from './page-files.ts';
import { isSameSecret, type PageSessions } from './page-sessions.ts';
import type { EventHub } from './wire/event-hub.ts';
import { pageHeaders, type PageRefusal, refusePage, send, sendError, sendJson } from './wire/respond.ts';

/** Everything that the answers to requests need. */
export interface PageSite {
  readonly names: OwnNames;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly sessions: PageSessions;
  readonly pageState: PageState;
  readonly hub: EventHub;
  /**
   * The path prefix of the API. It is secret, so that no browser sends the cookie to another server on this
   * machine.
   */
  readonly prefix: string;
  /** Cookies ignore the port, so it is part of the name. */
  readonly cookieName: string;
  /** Tells one run of the server from the next. */
  readonly id: string;
  readonly report: (text: string) => void;
  /** Called when a link has opened a session, which must then be saved. */
  readonly opened: (token: string) => void;
}

/**
 * A header that only a window of the page can send: it needs a secret, and another site would need CORS
 * permission.
 */
export const proofHeader = 'x-rootward-proof';

const bodyLimits = { body: 256 * 1024, bodyMs: 5_000 } as const;

/** Answers one request: checks the sender and its origin first, then the path. */
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
    const url = new URL(`http://page${request.url ?? '/'}`);
    const exchange = { request, response, url, ...readPath(site, url.pathname) };
    if (request.method === 'GET') await serveGet(site, exchange);
    else await servePost(site, exchange);
  } catch (error) {
    sendError(response, error, site.report);
  }
}

interface PageExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The path below the prefix of the API or the files. */
  readonly path: string;
  /** Whether the request used the prefix of this server. */
  readonly isOwn: boolean;
}

/** Files are public: a window of an earlier server may load them to show that it has ended. */
function readPath({ prefix }: PageSite, pathname: string): Pick<PageExchange, 'path' | 'isOwn'> {
  const [, given, path] = /^\/([\w-]{43})(\/.*)$/.exec(pathname) ?? [];
  if (given === undefined || path === undefined) return { path: pathname, isOwn: false };
  return { path, isOwn: isSameSecret(given, prefix) };
}

function refusalFor({ names }: PageSite, request: IncomingMessage): PageRefusal | undefined {
  const { method } = request;
  const fault = checkAddress(request, names);
  if (fault !== undefined && !(fault === 'cross-site' && isEntry(request))) return fault;
  if (method === 'OPTIONS') return 'preflight';
  return method === 'GET' || method === 'POST' ? undefined : 'no-such-method';
}

/**
 * Tells whether a browser navigates to the page itself. The redirect file with the link counts as another site. The
 * response is the same for everyone; the secret is in the fragment, which is not sent.
 */
function isEntry({ method, url = '', headers }: IncomingMessage): boolean {
  const isWindow = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return method === 'GET' && isWindow && /^\/[\w-]{43}\/$/.test(url);
}

async function serveGet(site: PageSite, exchange: PageExchange): Promise<void> {
  const { response, path, url } = exchange;
  const file = site.files.get(path);
  if (file !== undefined) {
    send(response, 200, file.bytes, { 'content-type': file.type });
    return;
  }
  const refusal = path.startsWith('/api/') ? sessionRefusal(site, exchange) : 'no-such-path';
  if (refusal !== undefined) refusePage(response, refusal);
  else if (path === '/api/session') sendJson(response, {});
  else if (path === '/api/events') site.hub.open(response, site.id);
  else if (path === '/api/audit/export') exportAudit(site, url, response);
  else await answerLook(site, exchange);
}

/** Browsers request these without a script, which therefore cannot add the proof. */
const withoutProof: ReadonlySet<string> = new Set(['/api/events', '/api/audit/export']);

function sessionRefusal(
  { sessions, cookieName }: PageSite,
  { request, path, isOwn }: PageExchange,
): PageRefusal | undefined {
  const cookie = cookieIn(request, cookieName);
  if (!isOwn || !sessions.knows(cookie)) return 'no-session';
  if (request.method === 'GET' && withoutProof.has(path)) return undefined;
  const given = request.headers[proofHeader];
  return sessions.proves(cookie, typeof given === 'string' ? given : undefined) ? undefined : 'no-proof';
}

async function answerLook({ pageState }: PageSite, { path, url, response }: PageExchange): Promise<void> {
  const look = Object.hasOwn(looks, path) ? looks[path] : undefined;
  if (look === undefined) refusePage(response, 'no-such-path');
  else sendJson(response, await look(pageState, url.searchParams));
}

function exportAudit({ pageState }: PageSite, url: URL, response: ServerResponse): void {
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': 'application/jsonl; charset=utf-8',
    'content-disposition': 'attachment; filename="rootward-audit.jsonl"',
  });
  Readable.from(inPieces(pageState.audit.lines(readFilter(url.searchParams)))).pipe(response);
}

/** Joins many lines into one piece, because writing them one by one takes far longer. */
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

async function servePost(site: PageSite, exchange: PageExchange): Promise<void> {
  const { request, response, path } = exchange;
  const isEntry = exchange.isOwn && path === '/api/session';
  const refusal = isEntry ? undefined : sessionRefusal(site, exchange);
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
  else if (isEntry) openSession(site, body.value, exchange);
  else await answerChange(site, { path, value: body.value }, response);
}

function openSession(site: PageSite, body: unknown, { request, response }: PageExchange): void {
  const { sessions, cookieName, prefix } = site;
  const { token } = (body ?? {}) as { readonly token?: unknown };
  const before = cookieIn(request, cookieName);
  const entered = typeof token === 'string' ? sessions.redeem(token, before) : undefined;
  if (typeof token !== 'string' || entered === undefined) {
    if (typeof token === 'string' && sessions.wasUsed(token)) site.report(usedTwice);
    refusePage(response, 'used-link');
    return;
  }
  site.opened(token);
  const header = `${cookieName}=${entered.cookie}; HttpOnly; SameSite=Strict; Path=/${prefix}/`;
  sendJson(response, { proof: entered.proof }, { 'set-cookie': header });
}

const usedTwice =
  'rootward: a link was opened for the second time. If you did not open it the first time, someone else has the page: stop this with Ctrl+C';

async function answerChange(
  { pageState }: PageSite,
  { path, value }: { readonly path: string; readonly value: unknown },
  response: ServerResponse,
): Promise<void> {
  const change = Object.hasOwn(changes, path) ? changes[path] : undefined;
  if (change === undefined) {
    refusePage(response, 'no-such-path');
    return;
  }
  const input = change.input.safeParse(value);
  if (input.success) sendJson(response, await change.run(pageState, input.data));
  else refusePage(response, 'bad-input', input.error.issues[0]?.message);
}

function cookieIn({ headers }: IncomingMessage, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
