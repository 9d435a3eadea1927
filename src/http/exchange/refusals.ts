import type { ServerResponse } from 'node:http';
import type { RpcId } from './json-rpc.ts';

interface RefusalWords {
  readonly status: number;
  /** Of JSON-RPC. */
  readonly code: number;
  readonly message: string;
  /** The connection is of no further use. */
  readonly close?: true;
  /** It may work later. */
  readonly later?: true;
}

/** Every way to be turned away before a server is asked. */
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

/** Nobody knows here whether it was done. */
const again =
  'This very request came before, and may have been done; to have it done again, give it another id';

/** In their words. They say nothing about anybody else. */
const refusals: Readonly<Record<RefusalName, RefusalWords>> = {
  'no-such-path': { status: 404, code: -32_000, message: 'There is nothing here' },
  'too-many-headers': { status: 431, code: -32_000, message: 'There are too many headers', close: true },
  'repeated-header': {
    status: 400,
    code: -32_000,
    message: 'A header that counts once was sent twice: send each of them once',
    close: true,
  },
  'absolute-target': {
    status: 400,
    code: -32_000,
    message: 'The request line must hold a path that begins with a slash, and no host',
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
  'only-health': { status: 405, code: -32_000, message: 'There is nothing to send here', close: true },
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
  /** In the same words: who holds another token learns nothing. */
  'foreign-session': { status: 404, code: -32_001, message: 'Session not found' },
  'session-exists': {
    status: 400,
    code: -32_600,
    message: 'initialize comes alone, before there is a session',
  },
  'initialize-too-large': {
    status: 413,
    code: -32_600,
    message: 'The parameters of initialize are too large',
  },
  'unknown-version': { status: 400, code: -32_000, message: 'This MCP-Protocol-Version is not supported' },
  'no-batches': { status: 400, code: -32_600, message: 'This protocol version has no batches' },
  'batch-too-long': { status: 400, code: -32_600, message: 'There are too many messages in the batch' },
  'id-in-use': { status: 400, code: -32_600, message: 'A request with this id is under way' },
  repeated: { status: 409, code: -32_600, message: again },
  'unknown-event': { status: 404, code: -32_001, message: 'There is no such event' },
  'unknown-answer': { status: 400, code: -32_600, message: 'Nothing was asked that this would answer' },
  /** In the same words: it is not theirs to know that somebody else was asked. */
  'forged-answer': { status: 400, code: -32_600, message: 'Nothing was asked that this would answer' },
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
    message: 'The sessions cannot be reached',
    later: true,
  },
  internal: { status: 500, code: -32_603, message: 'Internal error' },
};

export interface RefusalDetails {
  readonly id?: RpcId | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Turns a request away, unless an answer is under way already. */
export function refuse(response: ServerResponse, name: RefusalName, details: RefusalDetails = {}): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, code, message, close, later } = refusals[name];
  const body = JSON.stringify({ jsonrpc: '2.0', id: details.id ?? null, error: { code, message } });
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

/** On everything that is sent. No CORS headers: those are for pages that the operator named. */
export const plainHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Seconds; not the same for everybody, so that they do not all come back at once. */
function retryAfter(): string {
  return String(1 + Math.floor(Math.random() * 4));
}
