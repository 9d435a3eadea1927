import { type Fields, fieldsOf, isObject } from '../../base/fields.ts';
import { passSchema, type SendOptions, type WireRequest } from './protocol-server.ts';

/** The second argument of a handler: `extra` in SDK v1, `ctx` in SDK v2. */
export interface CallContext {
  readonly signal?: AbortSignal;
  readonly sessionId?: string | undefined;
  readonly mcpReq?: { readonly signal: AbortSignal };
}

/** One request, read once from the context of either SDK. */
export interface RequestFacts {
  /** Shared by all copies that an SDK makes of a context, so it identifies the call. */
  readonly signal: AbortSignal | undefined;
  readonly sessionId: string | undefined;
  readonly meta: Fields;
  /** The metadata that a 2026 client sends with every request. */
  readonly envelope: Fields;
  /** The answers of a 2026 client to the questions of the previous round. */
  readonly responses: Fields;
  /** Keys whose answers the SDK rejected. */
  readonly dropped: readonly string[];
  /** Sends a request that belongs to this call. */
  readonly send: ((request: WireRequest, options: SendOptions) => Promise<unknown>) | undefined;
}

/** Reads the context that an SDK passes to a handler. No part of it is trusted to have a shape. */
export function readContext(context: unknown): RequestFacts {
  const request = requestIn(context);
  const { signal, droppedInputResponseKeys: dropped } = request;
  return {
    signal: signal instanceof AbortSignal ? signal : undefined,
    sessionId: sessionOf(context),
    meta: fieldsOf(request['_meta']),
    envelope: fieldsOf(request['envelope']),
    responses: fieldsOf(request['inputResponses']),
    dropped: Array.isArray(dropped) ? dropped.filter((key) => typeof key === 'string') : [],
    send: sender(request['send'] ?? request['sendRequest']),
  };
}

/** The request inside a context; SDK v2 keeps it in a field of its own. */
export function requestIn(context: unknown): Fields {
  const outer = fieldsOf(context);
  const inner = outer['mcpReq'];
  return inner === undefined ? outer : fieldsOf(inner);
}

export function sessionOf(context: unknown): string | undefined {
  const { sessionId } = fieldsOf(context);
  return typeof sessionId === 'string' ? sessionId : undefined;
}

/** Whether the request came over HTTP. Both SDKs pass its details on, under different names. */
export function cameOverHttp(context: unknown): boolean {
  const outer = fieldsOf(context);
  return (outer['mcpReq'] === undefined ? outer['requestInfo'] : outer['http']) !== undefined;
}

/** The object that all copies of a context share and that identifies the call: the signal of its request. */
export function markIn({ signal }: Fields): object | undefined {
  return isObject(signal) ? signal : undefined;
}

function sender(method: unknown): RequestFacts['send'] {
  if (typeof method !== 'function') return undefined;
  // SDK v2 throws where v1 rejects.
  return async (request, options) =>
    (await Reflect.apply(method, undefined, [request, passSchema, options])) as unknown;
}
