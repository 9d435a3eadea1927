import { setMaxListeners } from 'node:events';
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
  /** The accepted tokens: at least one. */
  readonly tokens: readonly AccessToken[];
  /** 127.0.0.1 by default. Any other address than loopback needs `hosts`. */
  readonly host?: string;
  /** Any free port by default. */
  readonly port?: number;
  /** Path of a Unix socket to listen on, in place of host and port. */
  readonly socket?: string;
  /** `/mcp` by default. */
  readonly path?: string;
  /** Additional host names this server answers to, with the port unless it is 80 or 443. */
  readonly hosts?: readonly string[];
  /** Origins of other sites whose pages may call, as browsers send them: with the port unless it is the default. */
  readonly origins?: readonly string[];
  /** In memory by default. A given store stays open when the endpoint closes. */
  readonly sessions?: SessionStore;
  /**
   * Keys for the `requestState` of 2026-07-28. Random per process by default; nodes of one cluster must share theirs.
   */
  readonly sealingKeys?: readonly SealingKey[];
  /** Whether clients may open a notification stream with GET. False by default: GET gets 405. */
  readonly notifications?: boolean;
  /**
   * The changes that `notify` announces, for clients of 2026-07-28 that subscribe. Without it `subscriptions/listen` is
   * passed to the server, which refuses it unless it has a handler.
   */
  readonly announces?: readonly SubscriptionKind[];
  /**
   * Tells which tool calls have no side effects and may be repeated. Any other call with the same bytes is refused for
   * a minute, because a proxy may have repeated it.
   */
  readonly repeatable?: (call: RpcRequest) => boolean;
  readonly limits?: Partial<HttpLimits>;
  readonly record?: (event: HttpEvent) => void;
  /** Uses the OpenTelemetry API by default. */
  readonly meters?: EndpointMeters;
}

export interface HttpEndpoint extends AsyncDisposable {
  readonly url: string;
  /** 80 for a Unix socket, which has no port. */
  readonly port: number;
  /** Number of clients that have a stream for notifications open on this node. */
  readonly listeners: number;
  /** Sends a notification to the GET stream of one session, or to all of them, and to matching subscriptions. */
  notify(notification: Pick<RpcNotification, 'method' | 'params'>, session?: string): void;
  /** Stops accepting requests, lets running ones finish within the grace period, and closes. */
  close(): Promise<void>;
}

/**
 * Serves MCP over HTTP, for both protocol eras on one path. Listens on loopback by default, requires a token, and
 * refuses pages of other origins unless they are named.
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
  const bodies = new AbortController();
  // Every request whose body is awaited listens.
  setMaxListeners(0, bodies.signal);
  const ending = bodies.signal;
  const checkToken = createTokenCheck(tokens);
  const server = newServer(limits, (request, response) => {
    void serveRequest({ endpoint, path, checkToken, ending, ...state }, request, response);
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
    // Requests that arrive after this were sent before the client could know; a server that lingers serves them too.
    state.closing = limits.lingerMs === 0;
    endpoint.endStreams();
    bodies.abort();
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

const nameless = 'other machines can reach this address, so the host names it answers to must be given';

function faultOf(tokens: readonly AccessToken[]): string | undefined {
  if (tokens.length === 0) return 'no token is set, and every client needs one';
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
  // A client that sends `Expect: 100-continue` gets its 100 only after its token was checked.
  server.on('checkContinue', listener);
  server.maxConnections = limits.connections;
  // `checkAddress` counts the headers and refuses; Node would silently drop the excess.
  server.maxHeadersCount = 0;
  return server;
}

interface ListeningAddress {
  readonly port: number;
  /** Without the path. */
  readonly url: string;
}

async function bind(server: Server, options: HttpOptions): Promise<ListeningAddress> {
  const { host = '127.0.0.1', port = 0, socket } = options;
  if (socket !== undefined) {
    await bindSocket(server, socket);
    return { port: 80, url: 'http://localhost' };
  }
  const bound = await bindPort(server, host, port);
  return { port: bound, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` };
}

/** Resolves to the port that was bound. */
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
