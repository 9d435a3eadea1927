import { fieldsOf } from './call-context.ts';
import { overrideMethod } from './override-method.ts';
import { methodOf } from './pass-schema.ts';
import type { LowServer, RequestHandler, WireRequest } from './protocol-server.ts';

/** Runs around each handler: gets the request, its context, and the handler itself. */
export type Around = (request: WireRequest, context: unknown, run: () => unknown) => unknown;

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
    // SDK v2 hands the bare parameters to a handler that was registered with schemas of its own.
    const bare = rest.length > 1;
    return register(schema, ...rest.slice(0, -1), wrap(method, handler as RequestHandler, { around, bare }));
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
    handlers.set(method, wrap(method, handler as RequestHandler, { around, bare: false }));
  }
}

interface Wrapping {
  readonly around: Around;
  readonly bare: boolean;
}

function wrap(method: string, handler: RequestHandler, { around, bare }: Wrapping): RequestHandler {
  return (first, context) => {
    const params = fieldsOf(bare ? first : fieldsOf(first)['params']);
    return around({ method, params }, context, () => handler(first, context));
  };
}
