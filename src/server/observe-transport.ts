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
 */
export function observeTransport(transport: StartableTransport, observer: TransportObserver): void {
  const { start } = transport;
  transport.start = async () => {
    // Whoever connects it again watches it anew.
    transport.start = start;
    watchMessages(transport, observer);
    watchEnd(transport, observer);
    await start.call(transport);
  };
}

function watchMessages(transport: WireTransport, observer: TransportObserver): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    observer.message(message);
    onmessage?.(message, extra);
  };
}

function watchEnd(transport: WireTransport, observer: TransportObserver): void {
  const { onclose } = transport;
  let closed = false;
  transport.onclose = () => {
    if (!closed) {
      closed = true;
      observer.close();
    }
    onclose?.();
  };
}
