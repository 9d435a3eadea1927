import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { quote } from '../base/quote.ts';
import { RootwardError } from '../errors.ts';
import { openMemoryStore } from '../sessions/memory-store.ts';
import type { SessionStore } from '../sessions/record/session-store.ts';
import { bindSocket, closeGently, paceConnections } from './connections.ts';
import {
  type AccessToken,
  bearerOf,
  createTokenCheck,
  isLoopback,
  isOrigin,
  type OwnNames,
  ownNames,
  shortestToken,
} from './exchange/admission.ts';
import { defaultLimits, type HttpLimits } from './exchange/http-limits.ts';
import type { RpcNotification, RpcRequest } from './exchange/json-rpc.ts';
import type { SubscriptionKind } from './exchange/listeners.ts';
import { createRequestStateCodec, newSealingKey, type SealingKey } from './exchange/request-state.ts';
import type { ServerFactory } from './exchange/server-like.ts';
import { type HttpEvent, Endpoint } from './exchange/endpoint.ts';
import { createMeters, type EndpointMeters, meterSessions } from './exchange/telemetry.ts';
import { serveRequest } from './serve-request.ts';
import { takeDelivery } from './session/take-delivery.ts';

export interface HttpOptions {
  /** Builds a server for each request. */
  readonly createServer: ServerFactory;
  /** Who may come in: at least one. */
  readonly tokens: readonly AccessToken[];
  /** 127.0.0.1 by default. Any other than a loopback address needs `hosts`. */
  readonly host?: string;
  /** Any free port by default. */
  readonly port?: number;
  /** A socket in the file system instead of host and port, for clients that can use one. */
  readonly socket?: string;
  /** `/mcp` by default. */
  readonly path?: string;
  /** By which other names this server may be called, with the port where it is not 80 or 443. */
  readonly hosts?: readonly string[];
  /** Which pages of other sites may call: their origins as browsers send them, with the port unless it is usual. */
  readonly origins?: readonly string[];
  /** In memory by default. One that is given stays open when the endpoint is closed. */
  readonly sessions?: SessionStore;
  /** For `requestState` of 2026-07-28. A key of this process by default; several machines share theirs. */
  readonly sealingKeys?: readonly SealingKey[];
  /** Whether clients may open a stream for notifications with GET. No by default: it is answered with 405. */
  readonly notifications?: boolean;
  /**
   * What `notify` will tell of, for clients of 2026-07-28 that subscribe. Without it `subscriptions/listen` is left
   * to the server, and a server without a handler for it refuses.
   */
  readonly announces?: readonly SubscriptionKind[];
  /**
   * Which calls do nothing and may be made again. All others are taken once: the same bytes a second time within a
   * minute are refused, because something between us may repeat them.
   */
  readonly repeatable?: (call: RpcRequest) => boolean;
  readonly limits?: Partial<HttpLimits>;
  readonly record?: (event: HttpEvent) => void;
  /** Through the API of OpenTelemetry by default. */
  readonly meters?: EndpointMeters;
}

export interface HttpEndpoint extends AsyncDisposable {
  readonly url: string;
  /** 80 for a socket in the file system, which has none. */
  readonly port: number;
  /** How many clients wait for notifications here. */
  readonly listeners: number;
  /** Sends a notification to the streams that clients opened: that of one session, or all, and to who subscribed. */
  notify(notification: Pick<RpcNotification, 'method' | 'params'>, session?: string): void;
  /** Takes nothing new, finishes what is under way within a bound, and is gone. */
  close(): Promise<void>;
}

/**
 * Serves MCP over HTTP, both eras on one path. Loopback only unless told otherwise; nobody comes in without a
 * token; a page in a browser comes in from nowhere but here.
 *
 * @throws {RootwardError} `CANNOT_LISTEN`
 * @example
 * ```ts
 * const createServer = () => ({ connect: async () => {}, close: async () => {} });
 * const endpoint = await listen({ createServer, tokens: [{ token: 'x'.repeat(32) }] });
 * endpoint.url.startsWith('http://127.0.0.1:') // → true
 * const { status } = await fetch(endpoint.url, { method: 'POST' });
 * status // → 401
 * await endpoint.close();
 * await listen({ createServer, tokens: [{ token: 'short' }] }) // throws CANNOT_LISTEN
 * ```
 */
export async function listen(options: HttpOptions): Promise<HttpEndpoint> {
  const { path = '/mcp', sessions, tokens } = options;
  requireSafe(options);
  const limits = { ...defaultLimits, ...options.limits };
  const store = sessions ?? openMemoryStore();
  const endpoint = new Endpoint({
    store,
    limits,
    createServer: options.createServer,
    codec: createRequestStateCodec({ keys: options.sealingKeys ?? [newSealingKey()] }),
    notifications: options.notifications ?? false,
    announces: options.announces,
    repeatable: options.repeatable ?? (() => false),
    record: options.record ?? (() => {}),
    meters: options.meters ?? createMeters(),
  });
  const state = {
    leaving: false,
    closing: false,
    names: { hosts: new Set(), origins: new Set(), pages: new Set() } as OwnNames,
  };
  const checkToken = createTokenCheck(tokens);
  const server = newServer(limits, (request, response) => {
    void serveRequest({ endpoint, path, checkToken, ...state }, request, response);
  });
  const dismissSilent = paceConnections(server, limits.headersMs);
  const stopCounting = meterSessions(store);
  const stopListening = store.onDeliver((envelope) => takeDelivery(endpoint, envelope));
  const { port, url } = await bind(server, options);
  state.names = ownNames({ ...options, port });
  const timer = setInterval(() => endpoint.look(), limits.sweepMs);
  timer.unref();
  const close = once(async () => {
    state.leaving = true;
    await lingerFor(limits.lingerMs);
    // What still comes in after that came before it could know; whoever lingers serves it too.
    state.closing = limits.lingerMs === 0;
    endpoint.endStreams();
    dismissSilent();
    await closeGently(server, limits.graceMs, () => endpoint.cut());
    clearInterval(timer);
    stopListening();
    stopCounting();
    if (sessions === undefined) await store.close();
  });
  return {
    url: `${url}${path}`,
    port,
    get listeners() {
      return endpoint.streams.size + endpoint.subscriptions.size;
    },
    notify(notification, session = '') {
      const message: RpcNotification = { jsonrpc: '2.0', ...notification };
      if (session === '') endpoint.tellAll(message);
      else endpoint.streams.send(message, session);
      void endpoint.announce({ id: session, principal: '' }, message).catch(() => {});
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function requireSafe(options: HttpOptions): void {
  const { tokens, host = '127.0.0.1', port = 0, socket, hosts = [], origins = [] } = options;
  const address = socket === undefined ? `${host}:${port}` : `unix:${socket}`;
  const wrong = origins.find((origin) => !isOrigin(origin));
  const fault =
    faultOf(tokens) ??
    (isLoopback(host) || hosts.length > 0 ? undefined : nameless) ??
    (wrong === undefined ? undefined : `${quote(wrong)} is no origin; write it as in https://app.example`);
  if (fault !== undefined) throw new RootwardError('CANNOT_LISTEN', { address, reason: fault });
}

const nameless = 'others can reach it there, so the names by which they call it have to be given';

function faultOf(tokens: readonly AccessToken[]): string | undefined {
  if (tokens.length === 0) return 'there is no token, and nobody may come in without one';
  const short = tokens.some(({ token }) => token.length < shortestToken);
  if (short) return `a token has fewer than ${shortestToken} characters`;
  const odd = tokens.some(({ token }) => bearerOf(`Bearer ${token}`) !== token);
  return odd ? 'a token has characters that no client can send; take letters, digits and -._~+/=' : undefined;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function newServer(limits: HttpLimits, listener: Listener): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headers,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.headersMs + limits.bodyMs,
      connectionsCheckingInterval: limits.sweepMs,
      keepAliveTimeout: 30_000,
    },
    listener,
  );
  // Nobody is told to go on with a body before it is known who they are.
  server.on('checkContinue', listener);
  server.maxConnections = limits.connections;
  // They are counted with the address; here those beyond a number would be left out without a word.
  server.maxHeadersCount = 0;
  return server;
}

interface Bound {
  readonly port: number;
  /** Without a path. */
  readonly url: string;
}

async function bind(server: Server, options: HttpOptions): Promise<Bound> {
  const { host = '127.0.0.1', port = 0, socket } = options;
  if (socket !== undefined) {
    await bindSocket(server, socket);
    return { port: 80, url: 'http://localhost' };
  }
  const bound = await bindPort(server, host, port);
  return { port: bound, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` };
}

/** The port that it became. */
function bindPort(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ''] ?? `the system says ${error.code ?? 'nothing'}`;
      reject(new RootwardError('CANNOT_LISTEN', { address: `${host}:${port}`, reason }, { cause: error }));
    });
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there',
  EACCES: 'the system does not permit it',
  EADDRNOTAVAIL: 'this machine has no such address',
};

async function lingerFor(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
