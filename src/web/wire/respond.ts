import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { RootwardError } from '../../errors.ts';
import type { AddressFault } from '../../http/exchange/admission.ts';
import type { ErrorView } from './wire.ts';

/** Allows nothing from other origins, nothing inline, and no frames. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Sent with every response. There are no CORS headers. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
};

type Headers = Readonly<Record<string, string>>;

export function sendJson(
  response: ServerResponse,
  value: unknown,
  headers: Headers = {},
  status = 200,
): void {
  send(response, status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
}

export function send(
  response: ServerResponse,
  status: number,
  body: string | Uint8Array,
  headers: Headers,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...pageHeaders, ...length, ...headers });
  response.end(body);
}

export type PageRefusal =
  | AddressFault
  | 'preflight'
  | 'no-session'
  | 'used-link'
  | 'no-proof'
  | 'no-such-path'
  | 'no-such-method'
  | 'media-type'
  | 'bad-body'
  | 'bad-input';

interface RefusalWords {
  readonly status: number;
  readonly message: string;
  readonly hint: string;
}

/** Every refusal that comes before anything is looked up. */
const refusals: Readonly<Record<PageRefusal, RefusalWords>> = {
  'too-many-headers': { status: 431, message: 'Too many headers', hint: 'Open the link by hand' },
  'repeated-header': {
    status: 400,
    message: 'A header that may appear once was sent twice',
    hint: 'Open the link in a browser, without a proxy',
  },
  'absolute-target': {
    status: 400,
    message: 'The request target must be a path that begins with a slash, without a host',
    hint: 'Open the link in a browser, without a proxy',
  },
  'foreign-host': {
    status: 403,
    message: 'The Host header does not name this server',
    hint: 'Open the link that rootward web printed',
  },
  'foreign-origin': {
    status: 403,
    message: 'This origin is not allowed',
    hint: 'Only the page itself may call',
  },
  'cross-site': { status: 403, message: 'Other sites are not allowed', hint: 'Open the link by hand' },
  preflight: { status: 403, message: 'Other origins are not allowed', hint: 'Only the page itself may call' },
  'no-session': {
    status: 401,
    message: 'This browser has not opened a link from this server',
    hint: 'Open a new link from the terminal where rootward web runs',
  },
  'used-link': {
    status: 401,
    message: 'This link was used before, or belongs to another server',
    hint: 'Press Enter in the terminal where rootward web runs: it prints a new link. If you did not use the old one, read the messages there first: another user of this machine may have opened it',
  },
  'no-proof': {
    status: 401,
    message: 'This window was not opened by a link',
    hint: 'Use the window that was, or press Enter in the terminal where rootward web runs: it prints a new link',
  },
  'no-such-path': { status: 404, message: 'Not found', hint: 'Open the page itself' },
  'no-such-method': { status: 405, message: 'Method not allowed', hint: 'Changes are made with POST' },
  'media-type': { status: 415, message: 'Content-Type must be application/json', hint: 'Send JSON' },
  'bad-body': { status: 400, message: 'The body cannot be read', hint: 'Reload the page' },
  'bad-input': { status: 400, message: 'A field is missing or has the wrong type', hint: 'Reload the page' },
};

export function refusePage(response: ServerResponse, name: PageRefusal, detail?: string): void {
  const { status, message, hint } = refusals[name];
  const error: ErrorView = { code: name, message: detail ?? message, hint };
  sendJson(response, { error }, status === 401 || status === 403 ? { connection: 'close' } : {}, status);
}

/** Sends an error to the page. An unexpected one is sent as an id and reported in full to the operator. */
export function sendError(response: ServerResponse, error: unknown, report: (text: string) => void): void {
  if (RootwardError.is(error)) {
    const { code, message, hint } = error;
    sendJson(response, { error: { code, message, hint } }, {}, error.code === 'UNKNOWN_ROOT' ? 404 : 409);
    return;
  }
  const id = randomUUID().slice(0, 8);
  report(
    `rootward: failure ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  const hint = `See ${id} in the terminal where rootward web runs`;
  sendJson(response, { error: { code: 'INTERNAL', message: 'Internal error', hint } }, {}, 500);
}
