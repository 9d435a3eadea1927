import { isObject } from '../../base/fields.ts';
import type { StartableTransport, WireTransport } from './protocol-server.ts';

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
