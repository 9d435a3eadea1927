import type { ServerResponse } from 'node:http';
import type { RpcId } from './json-rpc.ts';

interface RefusalWords {
  readonly status: number;
  /** The JSON-RPC error code. */
  readonly code: number;
  readonly message: string;
  /** Close the connection after the response. */
  readonly close?: true;
  /** Send `Retry-After`: it may work later. */
  readonly later?: true;
}

/** Every reason to refuse a request before a server sees it. */
export type RefusalName =
  | 'no-such-path'
  | 'too-many-headers'
  | 'repeated-header'
  | 'absolute-target'
  | 'foreign-host'
  | 'foreign-origin'
  | 'cross-site'
  | 'preflight'
  | 'no-token'
  | 'wrong-token'
  | 'no-such-method'
  | 'only-health'
  | 'media-type'
  | 'not-acceptable'
  | 'body-too-large'
  | 'body-too-slow'
  | 'not-json'
  | 'not-json-rpc'
  | 'no-session'
  | 'unknown-session'
  | 'foreign-session'
  | 'session-exists'
  | 'initialize-too-large'
  | 'unknown-version'
  | 'no-batches'
  | 'batch-too-long'
  | 'id-in-use'
  | 'repeated'
  | 'unknown-event'
  | 'unknown-answer'
  | 'forged-answer'
  | 'too-many-calls'
  | 'too-many-sessions'
  | 'too-many-subscriptions'
  | 'too-many-starts'
  | 'shutting-down'
  | 'sessions-unavailable'
  | 'internal';

/** This node cannot tell whether the first copy was executed. */
const again =
  'This request was received before and may have been executed. To run it again, send it with another id';

/** Messages reveal nothing about other clients. */
const refusals: Readonly<Record<RefusalName, RefusalWords>> = {
  'no-such-path': { status: 404, code: -32_000, message: 'Not found' },
  'too-many-headers': { status: 431, code: -32_000, message: 'Too many headers', close: true },
  'repeated-header': {
    status: 400,
    code: -32_000,
    message: 'A header that may appear once was sent twice',
    close: true,
  },
  'absolute-target': {
    status: 400,
    code: -32_000,
    message: 'The request target must be a path that begins with a slash, without a host',
    close: true,
  },
  'foreign-host': {
    status: 403,
    code: -32_000,
    message: 'The Host header does not name this server',
    close: true,
  },
  'foreign-origin': { status: 403, code: -32_000, message: 'This origin is not allowed', close: true },
  'cross-site': { status: 403, code: -32_000, message: 'Other sites are not allowed', close: true },
  preflight: { status: 403, code: -32_000, message: 'Other origins are not allowed', close: true },
  'no-token': { status: 401, code: -32_000, message: 'A bearer token is required', close: true },
  'wrong-token': { status: 401, code: -32_000, message: 'The bearer token is not valid', close: true },
  'no-such-method': { status: 405, code: -32_000, message: 'Method not allowed' },
  'only-health': { status: 405, code: -32_000, message: 'Only GET and HEAD are allowed here', close: true },
  'media-type': { status: 415, code: -32_000, message: 'Content-Type must be application/json', close: true },
  'not-acceptable': {
    status: 406,
    code: -32_000,
    message: 'Accept must include application/json or text/event-stream',
    close: true,
  },
  'body-too-large': { status: 413, code: -32_000, message: 'The body is too large', close: true },
  'body-too-slow': { status: 408, code: -32_000, message: 'The body did not arrive in time', close: true },
  'not-json': { status: 400, code: -32_700, message: 'The body is not valid JSON' },
  'not-json-rpc': { status: 400, code: -32_600, message: 'The body is not a JSON-RPC message' },
  'no-session': { status: 400, code: -32_000, message: 'The Mcp-Session-Id header is required' },
  'unknown-session': { status: 404, code: -32_001, message: 'Session not found' },
  /** The same message, so that the holder of another token learns nothing. */
  'foreign-session': { status: 404, code: -32_001, message: 'Session not found' },
  'session-exists': {
    status: 400,
    code: -32_600,
    message: 'initialize must be sent alone, and without a session',
  },
  'initialize-too-large': {
    status: 413,
    code: -32_600,
    message: 'The parameters of initialize are too large',
  },
  'unknown-version': { status: 400, code: -32_000, message: 'This MCP-Protocol-Version is not supported' },
  'no-batches': { status: 400, code: -32_600, message: 'This protocol version has no batches' },
  'batch-too-long': { status: 400, code: -32_600, message: 'The batch has too many messages' },
  'id-in-use': { status: 400, code: -32_600, message: 'A request with this id is already running' },
  repeated: { status: 409, code: -32_600, message: again },
  'unknown-event': { status: 404, code: -32_001, message: 'Unknown event' },
  'unknown-answer': { status: 400, code: -32_600, message: 'This response answers no open request' },
  /** The same message: the client must not learn that another one was asked. */
  'forged-answer': { status: 400, code: -32_600, message: 'This response answers no open request' },
  'too-many-calls': { status: 503, code: -32_000, message: 'Too many calls at once', later: true },
  'too-many-sessions': { status: 503, code: -32_000, message: 'Too many sessions', later: true },
  'too-many-subscriptions': { status: 503, code: -32_000, message: 'Too many subscriptions', later: true },
  'too-many-starts': { status: 503, code: -32_000, message: 'Too many new sessions', later: true },
  'shutting-down': {
    status: 503,
    code: -32_000,
    message: 'The server is shutting down',
    close: true,
    later: true,
  },
  'sessions-unavailable': {
    status: 503,
    code: -32_000,
    message: 'The session store cannot be reached',
    later: true,
  },
  internal: { status: 500, code: -32_603, message: 'Internal error' },
};

export interface RefusalDetails {
  /** The id of the request, if it could be read. */
  readonly id?: RpcId | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refuses a request. If a response has already begun, destroys it. */
export function refuse(response: ServerResponse, name: RefusalName, details: RefusalDetails = {}): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, code, message, close, later } = refusals[name];
  const body = JSON.stringify({ jsonrpc: '2.0', id: details.id, error: { code, message } });
  response.writeHead(status, {
    ...plainHeaders,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(close === true ? { connection: 'close' } : {}),
    ...(later === true ? { 'retry-after': retryAfter() } : {}),
    ...details.headers,
  });
  response.end(body);
}

/** Headers of every response. CORS headers are added only for pages that the operator named. */
export const plainHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Seconds, with jitter so that clients do not all return at once. */
function retryAfter(): string {
  return String(1 + Math.floor(Math.random() * 4));
}
