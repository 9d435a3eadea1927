import { type Fields, fieldsOf, isObject } from '../../base/fields.ts';
import { passSchema, type SendOptions, type WireRequest } from './protocol-server.ts';

/** What a handler gets beside its arguments: `extra` of SDK v1, `ctx` of SDK v2. */
export interface CallContext {
  readonly signal?: AbortSignal;
  readonly sessionId?: string | undefined;
  readonly mcpReq?: { readonly signal: AbortSignal };
}

/** One request, read once from the context of either SDK. */
export interface RequestFacts {
  /** Shared by all copies that an SDK makes of a context, so that it tells one call from another. */
  readonly signal: AbortSignal | undefined;
  readonly sessionId: string | undefined;
  readonly meta: Fields;
  /** What a 2026 client says with every request. */
  readonly envelope: Fields;
  /** What a 2026 client answered to the questions of the round before. */
  readonly responses: Fields;
  /** Keys that it answered in a form that the SDK refuses. */
  readonly dropped: readonly string[];
  /** Sends a request that belongs to this call. */
  readonly send: ((request: WireRequest, options: SendOptions) => Promise<unknown>) | undefined;
}

/** Reads what an SDK hands to a handler. Nothing in it is trusted to have a shape. */
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

/** What a context says of its request: SDK v2 keeps that apart. */
export function requestIn(context: unknown): Fields {
  const outer = fieldsOf(context);
  const inner = outer['mcpReq'];
  return inner === undefined ? outer : fieldsOf(inner);
}

export function sessionOf(context: unknown): string | undefined {
  const { sessionId } = fieldsOf(context);
  return typeof sessionId === 'string' ? sessionId : undefined;
}

/** Both SDKs hand on what they know of an HTTP request, each under a name of its own. */
export function cameOverHttp(context: unknown): boolean {
  const outer = fieldsOf(context);
  return (outer['mcpReq'] === undefined ? outer['requestInfo'] : outer['http']) !== undefined;
}

/** What all copies of a context have in common, and tells one call from another: the signal of its request. */
export function markIn({ signal }: Fields): object | undefined {
  return isObject(signal) ? signal : undefined;
}

function sender(method: unknown): RequestFacts['send'] {
  if (typeof method !== 'function') return undefined;
  // SDK v2 throws at once where v1 rejects.
  return async (request, options) =>
    (await Reflect.apply(method, undefined, [request, passSchema, options])) as unknown;
}
