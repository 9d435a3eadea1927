import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { plainHeaders, type RefusalName } from './refusals.ts';

/** Reasons to refuse a request by its headers alone. */
export type AddressFault = Extract<
  RefusalName,
  | 'too-many-headers'
  | 'repeated-header'
  | 'absolute-target'
  | 'foreign-host'
  | 'foreign-origin'
  | 'cross-site'
>;

/** The host names this server answers to, and the origins that may call it. Each with its port. */
export interface OwnNames {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  /** The origins that the operator added: pages of other sites. */
  readonly pages: ReadonlySet<string>;
}

export interface NamesOptions {
  /** The address it listens on. */
  readonly host?: string;
  readonly port: number;
  /** In addition to the loopback names: `mcp.example.com`, or with a port. */
  readonly hosts?: readonly string[];
  /** In addition to our own: `https://app.example.com`. */
  readonly origins?: readonly string[];
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** Returns the loopback names and the listening address with this port, plus the names that the operator adds. */
export function ownNames({ host = '127.0.0.1', port, hosts = [], origins = [] }: NamesOptions): OwnNames {
  const address = host.includes(':') ? `[${host}]` : host;
  const names = new Set([...loopbackNames, ...(isEverywhere(host) ? [] : [address.toLowerCase()])]);
  const own = [...names].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  const named = hosts.map((name) => name.toLowerCase());
  const pages = origins.map((origin) => origin.toLowerCase());
  return {
    hosts: new Set([...own, ...named]),
    origins: new Set([...own.map((name) => `http://${name.replace(/:80$/, '')}`), ...pages]),
    pages: new Set(pages),
  };
}

/** The headers and target of a request. */
export type RequestHead = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'url'>;

/**
 * Checks whether a request was meant for this server. DNS rebinding shows in the Host header, other pages in the
 * Origin. Both are compared as text including the port, because another port is another program. A program that is
 * not a browser sends no Origin. Proxy headers are ignored.
 *
 * A cross-site request is refused unless its Origin is one that the operator named.
 *
 * An ambiguous request is refused first: a proxy in front may have understood it differently.
 */
export function checkAddress(request: RequestHead, names: OwnNames): AddressFault | undefined {
  return formFault(request) ?? addressFault(request.headers, names);
}

/** Maximum number of headers. If the server read fewer than were sent, it would miss a repeated one at the end. */
const mostHeaders = 100;

/** Security-relevant headers that may appear only once: caller, origin, session, and where the body ends. */
const singular: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'cookie',
  'x-rootward-proof',
  'sec-fetch-site',
  'content-type',
  'content-length',
  'transfer-encoding',
  'expect',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
]);

/** Refuses an absolute target too: it names a second host, which some servers prefer to the Host header. */
function formFault({ rawHeaders, url }: RequestHead): AddressFault | undefined {
  if (rawHeaders.length > 2 * mostHeaders) return 'too-many-headers';
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (seen.has(name)) return 'repeated-header';
    if (singular.has(name)) seen.add(name);
  }
  return url?.startsWith('/') === true ? undefined : 'absolute-target';
}

function addressFault(headers: IncomingHttpHeaders, names: OwnNames): AddressFault | undefined {
  const { host, origin } = headers;
  if (host === undefined || !names.hosts.has(host.toLowerCase())) return 'foreign-host';
  if (origin !== undefined && !names.origins.has(origin.toLowerCase())) return 'foreign-origin';
  const site = headers['sec-fetch-site'];
  const isElsewhere = site === 'cross-site' || site === 'same-site';
  return isElsewhere && pageOf(headers, names) === undefined ? 'cross-site' : undefined;
}

/** Returns the origin of a cross-site request, if the operator named it. */
export function pageOf({ origin }: IncomingHttpHeaders, { pages }: OwnNames): string | undefined {
  return origin !== undefined && pages.has(origin.toLowerCase()) ? origin : undefined;
}

/**
 * Tells the browser that a page which the operator named may read the response. Only that page, and without
 * cookies: access depends on the token alone.
 */
export function admitPage(response: ServerResponse, page: string): void {
  response.setHeader('access-control-allow-origin', page);
  response.setHeader('access-control-expose-headers', responseHeaders.join(', '));
  response.setHeader('vary', 'origin');
}

/** Answers the preflight request of such a page. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    ...plainHeaders,
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': requestHeaders.join(', '),
    // Browsers require this before a public page may call a private address.
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  });
  response.end();
}

/** Headers that a page may send: the token, and those that either protocol era adds. */
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

/** Headers of a response that a page may read. */
const responseHeaders = ['mcp-session-id', 'www-authenticate', 'retry-after'] as const;

/** Tells whether a text is an origin as browsers send it: nothing after the port, and never `null` or `*`. */
export function isOrigin(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(text);
}

/** Tells whether a host stands for all addresses of the machine; no client uses that as a name. */
function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Tells whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** A token that a client may present. */
export interface AccessToken {
  readonly token: string;
  /** The owner of the token's sessions. By default each token is a principal of its own. */
  readonly principal?: string;
}

/** Minimum length of a token: a shorter one could be guessed. */
export const shortestToken = 32;

export interface TokenCheck {
  /** Returns the principal; `undefined` for an invalid token. */
  (token: string): string | undefined;
}

/**
 * Creates a check that compares a text with all tokens in constant time, so that its duration reveals nothing but the
 * length of the longest one.
 */
export function createTokenCheck(tokens: readonly AccessToken[]): TokenCheck {
  const size = Math.max(...tokens.map(({ token }) => Buffer.byteLength(token)), 0);
  const known = tokens.map(({ token, principal = principalOf(token) }) => ({
    bytes: padded(token, size),
    length: token.length,
    principal,
  }));
  return (token) => {
    const given = padded(token, size);
    let found: string | undefined;
    for (const { bytes, length, principal } of known)
      if (timingSafeEqual(bytes, given) && length === token.length) found = principal;
    return found;
  };
}

/** The beginning of a text if it is longer. */
function padded(text: string, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write(text);
  return bytes;
}

function principalOf(token: string): string {
  return `token-${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];
}
