/** One JSON-RPC message of unknown shape. */
export type WireMessage = Readonly<Record<string, unknown>>;

/** A transport that fits both SDKs without importing either. */
export interface Wire {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: WireMessage, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  sessionId?: string;
}

/** One message on the wire and its sender. */
export interface WireRecord {
  readonly from: 'client' | 'server';
  readonly message: WireMessage;
}

export interface LinkedWires {
  readonly client: Wire;
  readonly server: Wire;
  /** Every message so far, in order. */
  readonly records: readonly WireRecord[];
}

/**
 * Makes two ends of one connection in memory. Messages are copied as JSON, as on a real wire, so that the ends
 * share no objects. A message for an end that has not started waits there.
 *
 * @example
 * ```ts
 * const { client, server } = linkWires();
 * const arrived = new Promise((resolve) => (server.onmessage = resolve));
 * await server.start();
 * await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
 * (await arrived).method; // → 'notifications/initialized'
 * ```
 */
export function linkWires(): LinkedWires {
  const records: WireRecord[] = [];
  const client = createEnd((message) => records.push({ from: 'client', message }));
  const server = createEnd((message) => records.push({ from: 'server', message }));
  client.other = server;
  server.other = client;
  return { client: client.wire, server: server.wire, records };
}

interface WireEnd {
  readonly wire: Wire;
  other?: WireEnd;
  readonly receive: (message: WireMessage) => void;
  readonly end: () => void;
}

function createEnd(note: (message: WireMessage) => void): WireEnd {
  const waiting: WireMessage[] = [];
  let state: 'new' | 'open' | 'closed' = 'new';
  const wire: Wire = {
    async start() {
      if (state === 'new') state = 'open';
      for (const message of waiting.splice(0)) wire.onmessage?.(message);
    },
    async send(message) {
      if (state === 'closed') throw new Error('Not connected');
      const copy = JSON.parse(JSON.stringify(message)) as WireMessage;
      note(copy);
      // Delivered after the sender's call returns, as on a real wire.
      queueMicrotask(() => one.other?.receive(copy));
    },
    async close() {
      one.end();
      one.other?.end();
    },
  };
  const one: WireEnd = {
    wire,
    receive(message) {
      if (state === 'new') waiting.push(message);
      if (state === 'open') wire.onmessage?.(message);
    },
    end() {
      if (state === 'closed') return;
      state = 'closed';
      wire.onclose?.();
    },
  };
  return one;
}
