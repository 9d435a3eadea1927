import { type Fields, fieldsOf } from '../../base/fields.ts';
import { type LowServer, methodOf, overrideMethod, type RequestHandler } from './protocol-server.ts';

/** Runs around each handler. */
export type HandlerWrapper = (arrival: HandlerCall) => unknown;

/**
 * Wraps every request handler of a server, registered ones and later ones, through the public method of both SDKs.
 * Returns a function that stops wrapping later ones.
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
 * Wraps the handlers that an `McpServer` with capabilities has from the start. No public method returns them. Both
 * SDKs keep them under this name; a server without it keeps its handlers as they are.
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

/** A registered handler and how to call it. */
export interface HandlerRoute {
  readonly method: string;
  readonly handler: RequestHandler;
  /** SDK v2 passes only the parameters to a handler that was registered with its own schemas. */
  readonly bare: boolean;
}

/** A request as an SDK delivered it, with the handler for it. Its parts are read when needed. */
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

  /** Calls the handler without waiting for it. */
  run(): unknown {
    return this.#route.handler(this.#first, this.context);
  }
}
