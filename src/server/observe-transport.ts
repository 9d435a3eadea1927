import type { WireTransport } from './protocol-server.ts';

export interface TransportObserver {
  /** Sees each message before the server does; where callbacks are chained, more than once. */
  message(message: unknown): void;
  /** Once. */
  close(): void;
}

/**
 * Watches what arrives on a transport without taking a place that belongs to somebody: a server has one handler
 * per notification, and it is the author's.
 *
 * The callbacks of a transport are set by the SDK, some versions keeping what was there and some not, so each
 * assignment is wrapped. The transport object itself stays: SDK v2 knows it by identity.
 */
export function observeTransport(transport: WireTransport, observer: TransportObserver): void {
  let closed = false;
  wrapSlot(transport, 'onmessage', (message) => observer.message(message));
  wrapSlot(transport, 'onclose', () => {
    if (closed) return;
    closed = true;
    observer.close();
  });
}

type Callback = (message?: unknown, extra?: unknown) => unknown;

function wrapSlot(
  transport: WireTransport,
  slot: 'onmessage' | 'onclose',
  notice: (message: unknown) => void,
): void {
  // A transport that wraps another one, and one that is observed already, has an accessor there.
  const accessor = findAccessor(transport, slot);
  let current: Callback | undefined;
  const assign = (callback: unknown): void => {
    current = typeof callback === 'function' ? announce(callback as Callback, notice) : undefined;
    accessor.set?.call(transport, current);
  };
  assign(transport[slot]);
  Object.defineProperty(transport, slot, {
    configurable: true,
    enumerable: true,
    get: () => (accessor.get === undefined ? current : accessor.get.call(transport)),
    set: assign,
  });
}

/** Both callbacks get at most a message and what belongs to it. */
function announce(callback: Callback, notice: (message: unknown) => void): Callback {
  return (message, extra) => {
    notice(message);
    return callback(message, extra);
  };
}

function findAccessor(object: object, slot: string): PropertyDescriptor {
  for (let at: unknown = object; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, slot);
    if (descriptor !== undefined) return descriptor;
  }
  return {};
}
