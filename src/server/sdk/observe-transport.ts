import { isObject } from '../../base/fields.ts';
import type { StartableTransport, WireTransport } from './protocol-server.ts';

export interface TransportObserver {
  /** Sees each message before the server does. */
  message(message: unknown): void;
  /** Once. */
  close(): void;
}

/**
 * Watches what arrives on a transport without taking a place that belongs to somebody: a server has one handler
 * per notification, and it is the author's.
 *
 * A server sets the callbacks of its transport and then starts it: that is the moment to put something around
 * them. The transport stays the object that it is, because SDK v2 knows it by identity, and a plain one, because
 * every message would pay for accessors.
 *
 * Not guaranteed: who replaces a callback later, and does not call what was there, takes it from the server and
 * from here alike.
 */
export function observeTransport(transport: StartableTransport, observer: TransportObserver): void {
  const { start } = transport;
  const around = { onmessage: aroundMessages(observer), onclose: aroundEnd(observer) } as const;
  const late = slots.filter((slot) => !isUnreadable(transport, slot));
  for (const slot of slots) if (!late.includes(slot)) watchSetter(transport, slot, around[slot]);
  const startWatched = async (): Promise<void> => {
    // Whoever connects it again watches it anew.
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

/** What can only be set is put around as it is set: later it cannot be read any more. */
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
