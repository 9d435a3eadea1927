import { type Fields, fieldsOf } from '../../base/fields.ts';
import { type LowServer, methodOf, overrideMethod, type RequestHandler } from './protocol-server.ts';

/** Runs around each handler. */
export type HandlerWrapper = (arrival: HandlerCall) => unknown;

/**
 * Puts something around every request handler of a server, those that are registered and those to come, by
 * the public method of both SDKs. Returns what stops that for handlers to come.
 */
export function interceptRequests(server: LowServer, around: HandlerWrapper): () => void {
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
function wrapRegistered(server: LowServer, around: HandlerWrapper): void {
  const handlers = fieldsOf(server)['_requestHandlers'];
  if (!(handlers instanceof Map)) return;
  for (const [method, handler] of Array.from(handlers)) {
    if (typeof method !== 'string' || typeof handler !== 'function') continue;
    handlers.set(method, wrap({ method, handler: handler as RequestHandler, bare: false }, around));
  }
}

function wrap(route: HandlerRoute, around: HandlerWrapper): RequestHandler {
  return (first, context) => around(new HandlerCall(route, first, context));
}

/** A handler that is registered, and how it is called. */
export interface HandlerRoute {
  readonly method: string;
  readonly handler: RequestHandler;
  /** SDK v2 hands the bare parameters to a handler that was registered with schemas of its own. */
  readonly bare: boolean;
}

/**
 * A request that arrived as an SDK hands it on, and the handler that waits for it. What is in it is read where
 * somebody needs it.
 */
export class HandlerCall {
  readonly #route: HandlerRoute;
  readonly #first: unknown;
  readonly context: unknown;

  constructor(route: HandlerRoute, first: unknown, context: unknown) {
    this.#route = route;
    this.#first = first;
    this.context = context;
  }

  get method(): string {
    return this.#route.method;
  }

  get params(): Fields {
    return fieldsOf(this.#route.bare ? this.#first : fieldsOf(this.#first)['params']);
  }

  /** Runs the handler, and waits for nothing. */
  run(): unknown {
    return this.#route.handler(this.#first, this.context);
  }
}
