import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RefusalName } from './refusals.ts';

/** What can be wrong with a request before anything of it is served. */
export type AddressFault = Extract<
  RefusalName,
  | 'too-many-headers'
  | 'repeated-header'
  | 'absolute-target'
  | 'foreign-host'
  | 'foreign-origin'
  | 'cross-site'
>;

/** By which names this server may be called, and from which pages. Each with its port. */
export interface OwnNames {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  /** Those of the origins that the operator added: pages of another endpoint. */
  readonly pages: ReadonlySet<string>;
}

export interface NamesOptions {
  /** Where it listens. */
  readonly host?: string;
  readonly port: number;
  /** Besides the loopback names: `mcp.example.com`, or with a port. */
  readonly hosts?: readonly string[];
  /** Besides our own: `https://app.example.com`. */
  readonly origins?: readonly string[];
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** The loopback names and the address itself with this port, and whatever the operator adds. */
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

/** The part of a request that comes before its body. */
export type RequestHead = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'url'>;

/**
 * Whether a request was meant for this server: a page that points its name at us sends its own Host, and any
 * other page its Origin. Compared as text with the port, because another port is another program. A program
 * that is no browser sends no Origin. Headers of proxies are not looked at.
 *
 * A page that the operator named may be of another endpoint; a request that says so and names no page may not.
 *
 * A request that could be read in two ways is refused first: a proxy in front may have read it in the other.
 */
export function checkAddress(request: RequestHead, names: OwnNames): AddressFault | undefined {
  return formFault(request) ?? addressFault(request.headers, names);
}

/** Headers of a request; a server that reads fewer than were sent would not see a repeated one behind them. */
const mostHeaders = 100;

/** Headers on which something depends: who calls, from where, in which session, and where the body ends. */
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

/** An absolute target names a second host, which counts more than the Host header for some readers. */
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
  const endpoint = headers['sec-fetch-site'];
  const isElsewhere = endpoint === 'cross-site' || endpoint === 'same-site';
  return isElsewhere && pageOf(headers, names) === undefined ? 'cross-site' : undefined;
}

/** The page of another endpoint that a request comes from, if the operator named it. */
export function pageOf({ origin }: IncomingHttpHeaders, { pages }: OwnNames): string | undefined {
  return origin !== undefined && pages.has(origin.toLowerCase()) ? origin : undefined;
}

/** Whether a text is an origin as browsers send it: nothing behind the port, and never `null` or `*`. */
export function isOrigin(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(text);
}

/** All addresses of a machine; nobody calls it by that. */
function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Who may come in. */
export interface AccessToken {
  readonly token: string;
  /** Who that is: sessions belong to it. By default each token is somebody else. */
  readonly principal?: string;
}

/** Characters that a token has at least: fewer could be guessed. */
export const shortestToken = 32;

export interface TokenCheck {
  /** The principal; `undefined` for a token that is not valid. */
  (token: string): string | undefined;
}

/** Compares digests, each of them, in constant time: how long it takes tells nothing about any token. */
export function createTokenCheck(tokens: readonly AccessToken[]): TokenCheck {
  const known = tokens.map(({ token, principal }) => {
    const digest = digestOf(token);
    return { digest, principal: principal ?? `token-${digest.toString('hex').slice(0, 16)}` };
  });
  return (token) => {
    const given = digestOf(token);
    let found: string | undefined;
    for (const { digest, principal } of known) if (timingSafeEqual(digest, given)) found = principal;
    return found;
  };
}

/** The token of an `Authorization` header, and of nothing else. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
