import { Arrival, type Route } from './arrival.ts';
import { fieldsOf } from './call-context.ts';
import { overrideMethod } from './override-method.ts';
import { methodOf } from './pass-schema.ts';
import type { LowServer, RequestHandler } from './protocol-server.ts';

/** Runs around each handler. */
export type Around = (arrival: Arrival) => unknown;

/**
 * Puts something around every request handler of a server, those that are registered and those to come, by
 * the public method of both SDKs. Returns what stops that for handlers to come.
 */
export function interceptRequests(server: LowServer, around: Around): () => void {
  wrapRegistered(server, around);
  return overrideMethod(server, 'setRequestHandler', (register) => (schema, ...rest) => {
    const method = methodOf(schema);
    const handler = rest.at(-1);
    if (method === undefined || typeof handler !== 'function') return register(schema, ...rest);
    const route = { method, handler: handler as RequestHandler, bare: rest.length > 1 };
    return register(schema, ...rest.slice(0, -1), wrap(route, around));
  });
}

/**
 * An `McpServer` that was built with its capabilities has its handlers from the beginning, and no public method
 * gives them away. Both SDKs keep them under this name; where one does not, they stay as they are.
 */
function wrapRegistered(server: LowServer, around: Around): void {
  const handlers = fieldsOf(server)['_requestHandlers'];
  if (!(handlers instanceof Map)) return;
  for (const [method, handler] of Array.from(handlers)) {
    if (typeof method !== 'string' || typeof handler !== 'function') continue;
    handlers.set(method, wrap({ method, handler: handler as RequestHandler, bare: false }, around));
  }
}

function wrap(route: Route, around: Around): RequestHandler {
  return (first, context) => around(new Arrival(route, first, context));
}
