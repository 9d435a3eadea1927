import type { WireMessage, WireRecord } from './wires.ts';

/**
 * How often a server asked its client, in either way: by a request, or by a result that requires input.
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

/** The questions in a result, by key. */
export function inputRequestsIn(message: WireMessage): WireMessage {
  return fieldsOf(fieldsOf(message['result'])['inputRequests']);
}

function requestsIn(message: WireMessage): readonly WireMessage[] {
  return Object.values(inputRequestsIn(message)).map(fieldsOf);
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): WireMessage {
  return typeof value === 'object' && value !== null ? (value as WireMessage) : {};
}
