import { type Fields, fieldsOf } from './call-context.ts';
import type { RequestHandler } from './protocol-server.ts';

/** A handler that is registered, and how it is called. */
export interface Route {
  readonly method: string;
  readonly handler: RequestHandler;
  /** SDK v2 hands the bare parameters to a handler that was registered with schemas of its own. */
  readonly bare: boolean;
}

/**
 * A request that arrived as an SDK hands it on, and the handler that waits for it. What is in it is read where
 * somebody needs it.
 */
export class Arrival {
  readonly #route: Route;
  readonly #first: unknown;
  readonly context: unknown;

  constructor(route: Route, first: unknown, context: unknown) {
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
