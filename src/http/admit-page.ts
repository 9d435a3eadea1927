import type { ServerResponse } from 'node:http';
import { plainHeaders } from './exchange/refusals.ts';

/** What a page needs to send, by name: the token, and what either era has beside the body. */
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

/** What a page may read of an answer, beyond its body. */
const responseHeaders = ['mcp-session-id', 'www-authenticate', 'retry-after'] as const;

/**
 * Tells a browser that a page which the operator named may read the answer. The page alone, never everybody, and
 * without cookies: what lets it in is the token.
 */
export function admitPage(response: ServerResponse, page: string): void {
  response.setHeader('access-control-allow-origin', page);
  response.setHeader('access-control-expose-headers', responseHeaders.join(', '));
  response.setHeader('vary', 'origin');
}

/** Answers the question that a browser asks before it lets such a page send anything. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    ...plainHeaders,
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': requestHeaders.join(', '),
    // A page of the internet that calls this machine has to be allowed to by name.
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  });
  response.end();
}
