import { fieldsOf } from '../base/fields.ts';
import type { Wire, WireMessage, WireRecord } from './wires.ts';

/** The outcome of a request. */
export type PeerReply =
  | { readonly kind: 'result'; readonly result: WireMessage }
  | { readonly kind: 'error'; readonly error: WireMessage }
  /** No answer within the bound. */
  | { readonly kind: 'silence' }
  /** The connection closed. */
  | { readonly kind: 'closed' };

/** One end of a connection without an SDK: it validates nothing and follows no rules. */
export interface RawPeer {
  request(method: string, params: WireMessage): Promise<PeerReply>;
  send(message: object): Promise<void>;
  readonly closed: boolean;
}

export interface RawPeerOptions {
  /** Milliseconds until the outcome is `silence`. */
  readonly bound: number;
  /** Called with each request of the other end. */
  readonly asked: (request: WireMessage) => void;
}

export function createRawPeer(wire: Wire, { bound, asked }: RawPeerOptions): RawPeer {
  const pending = new Map<unknown, (reply: PeerReply) => void>();
  let closed = false;
  let last = 0;
  wire.onmessage = (message) => {
    if (message['method'] !== undefined) return message['id'] === undefined ? undefined : asked(message);
    const { id, error, result } = message;
    pending.get(id)?.(
      error === undefined
        ? { kind: 'result', result: fieldsOf(result) }
        : { kind: 'error', error: fieldsOf(error) },
    );
  };
  wire.onclose = () => {
    closed = true;
    for (const settle of pending.values()) settle({ kind: 'closed' });
  };
  const send = async (message: object): Promise<void> => {
    if (!closed) await wire.send(message);
  };
  return {
    async request(method, params) {
      if (closed) return { kind: 'closed' };
      last += 1;
      const id = last;
      try {
        return await bounded(bound, (settle) => {
          pending.set(id, settle);
          send({ jsonrpc: '2.0', id, method, params }).catch(() => settle({ kind: 'closed' }));
        });
      } finally {
        pending.delete(id);
      }
    },
    send,
    get closed() {
      return closed;
    },
  };
}

async function bounded(
  bound: number,
  begin: (settle: (reply: PeerReply) => void) => void,
): Promise<PeerReply> {
  let timer: NodeJS.Timeout | undefined;
  const reply = await new Promise<PeerReply>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'silence' }), bound);
    begin(resolve);
  });
  clearTimeout(timer);
  return reply;
}

/**
 * Counts how often a server asked its client, by a request or by a result that requires input.
 *
 * @example
 * ```ts
 * import { asksIn, linkWires } from 'rootward/testing';
 *
 * const { server, records } = linkWires();
 * await server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
 * await server.send({ jsonrpc: '2.0', id: 7, result: { inputRequests: { a: { method: 'roots/list' } } } });
 * asksIn(records); // → 2
 * ```
 */
export function asksIn(records: readonly WireRecord[], method = 'roots/list'): number {
  const sent = records.filter(({ from }) => from === 'server').map(({ message }) => message);
  const asked = [...sent, ...sent.flatMap(requestsIn)];
  return asked.filter((request) => request['method'] === method).length;
}

/** The questions inside a result, by key. */
export function inputRequestsIn(message: WireMessage): WireMessage {
  return fieldsOf(fieldsOf(message['result'])['inputRequests']);
}

function requestsIn(message: WireMessage): readonly WireMessage[] {
  return Object.values(inputRequestsIn(message)).map(fieldsOf);
}
