import { type Fields, fieldsOf, isObject } from '../../base/fields.ts';
import {
  type LowServer,
  methodOf,
  overrideMethod,
  type RequestHandler,
  type StartableTransport,
  type WireTransport,
} from './protocol-server.ts';

/** Runs around each handler. */
export type HandlerWrapper = (handlerCall: HandlerCall) => unknown;

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

export interface TransportObserver {
  /** Called with each message before the server sees it. */
  message(message: unknown): void;
  /** Called once, when the transport closes. */
  close(): void;
}

/**
 * Observes the messages of a transport without occupying a slot of the author's: a server has one handler per
 * notification. A server sets the callbacks of its transport and then starts it, which is the moment to wrap them.
 * The transport stays the same object, because SDK v2 compares its identity, and it stays plain, because accessors
 * would slow down every message.
 *
 * Not guaranteed: code that replaces a callback later without calling the previous one disconnects both the server
 * and this observer.
 */
export function observeTransport(transport: StartableTransport, observer: TransportObserver): void {
  const { start } = transport;
  const around = { onmessage: aroundMessages(observer), onclose: aroundEnd(observer) } as const;
  const late = slots.filter((slot) => !isUnreadable(transport, slot));
  for (const slot of slots) if (!late.includes(slot)) watchSetter(transport, slot, around[slot]);
  const startWatched = async (): Promise<void> => {
    // A transport that is connected again is observed again.
    transport.start = start;
    for (const slot of late) transport[slot] = around[slot](transport[slot]);
    await start.call(transport);
  };
  Object.defineProperty(transport, 'start', {
    value: startWatched,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** The same for a transport that a server is connected to already. Callbacks that can only be set stay as they are. */
export function observeStarted(transport: WireTransport, observer: TransportObserver): void {
  const around = { onmessage: aroundMessages(observer), onclose: aroundEnd(observer) } as const;
  for (const slot of slots)
    if (!isUnreadable(transport, slot)) transport[slot] = around[slot](transport[slot]);
}

const slots = ['onmessage', 'onclose'] as const;

type Slot = (typeof slots)[number];
type Callback = (message?: unknown, extra?: unknown) => void;
type WrapCallback = (callback: Callback | undefined) => Callback;

function aroundMessages(observer: TransportObserver): WrapCallback {
  return (callback) => (message, extra) => {
    observer.message(message);
    callback?.(message, extra);
  };
}

function aroundEnd(observer: TransportObserver): WrapCallback {
  let closed = false;
  return (callback) => () => {
    if (!closed) {
      closed = true;
      observer.close();
    }
    callback?.();
  };
}

/** A callback that can only be set must be wrapped when it is set, because it cannot be read later. */
function isUnreadable(transport: WireTransport, slot: Slot): boolean {
  const accessor = accessorOf(transport, slot);
  return accessor.set !== undefined && accessor.get === undefined;
}

function watchSetter(transport: WireTransport, slot: Slot, around: WrapCallback): void {
  const accessor = accessorOf(transport, slot);
  const set = (callback: Callback | undefined): void => accessor.set?.call(transport, around(callback));
  Object.defineProperty(transport, slot, { configurable: true, enumerable: true, set });
}

function accessorOf(object: object, slot: Slot): PropertyDescriptor {
  for (let at: unknown = object; isObject(at); at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, slot);
    if (descriptor !== undefined) return descriptor;
  }
  return {};
}
