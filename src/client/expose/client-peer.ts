import { RootwardError } from '../../errors.ts';

/**
 * The parts of an SDK client, v1 or v2, that roots need. Neither SDK is loaded. Parameters are `never` because the two
 * versions take different ones; `connectPeer` finds out which.
 */
export interface RootsClient {
  registerCapabilities(capabilities: never): void;
  setRequestHandler(method: never, handler: never): void;
  notification(message: never): Promise<void>;
  /** Present while it is connected. */
  readonly transport?: unknown;
  /** Present in v2 only. */
  getProtocolEra?(): string | undefined;
}

/** Answers one request; the signal aborts when the answer is no longer needed. */
export type AnswerRoots = (signal: AbortSignal | undefined) => Promise<unknown>;

/** A client of either SDK version. */
export interface ClientPeer {
  /** Sets the answer to `roots/list`, in place of the previous one. */
  answer(answer: AnswerRoots): void;
  /**
   * Tells the server that the list has changed. Returns `false` if that is impossible: not connected, or 2026-07-28.
   */
  notify(): Promise<boolean>;
  /** Identifies the current connection; `undefined` while there is none. */
  connection(): unknown;
}

/**
 * Declares the roots capability for a client and returns a way to answer. A connected client can no longer declare
 * capabilities, so it must have declared roots itself.
 *
 * @throws {RootwardError} `CANNOT_EXPOSE`
 */
export function connectPeer(given: RootsClient, server: string): ClientPeer {
  const client = given as unknown as LooseClient;
  if (client.transport === undefined) client.registerCapabilities({ roots: { listChanged: true } });
  const isV2 = typeof client.getProtocolEra === 'function';
  return {
    answer(answer) {
      try {
        client.setRequestHandler(isV2 ? method : requestSchema, (_request, extra) => answer(signalOf(extra)));
      } catch (error) {
        throw new RootwardError('CANNOT_EXPOSE', { server, reason: undeclared }, { cause: error });
      }
    },
    async notify() {
      if (!isReady(client) || client.getProtocolEra?.() === 'modern') return false;
      await client.notification({ method: 'notifications/roots/list_changed' });
      return true;
    },
    connection: () => client.transport,
  };
}

const undeclared = 'the client is already connected and has not declared roots';

/** Connected and initialized: before that, the server has no list that could change. */
function isReady(client: LooseClient): boolean {
  return client.transport !== undefined && client.getServerCapabilities?.() !== undefined;
}

interface LooseClient {
  registerCapabilities(capabilities: unknown): void;
  setRequestHandler(method: unknown, handler: (request: unknown, extra: unknown) => unknown): void;
  notification(message: unknown): Promise<void>;
  readonly transport?: unknown;
  getServerCapabilities?(): unknown;
  getProtocolEra?(): string | undefined;
}

const method = 'roots/list';

/** Stands for a request schema of v1, which reads the method and then parses the request. */
const requestSchema = {
  shape: { method: { value: method } },
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
};

/** v1 has the signal in `extra`, v2 in `ctx.mcpReq`. */
function signalOf(extra: unknown): AbortSignal | undefined {
  const { signal, mcpReq } = (extra ?? {}) as { signal?: AbortSignal; mcpReq?: { signal?: AbortSignal } };
  return mcpReq?.signal ?? signal;
}

/** A JSON-RPC error: both SDK versions send the `code`, `message` and `data` of a thrown error. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: { readonly reason: string; readonly uri?: string };

  constructor(code: number, message: string, data: ProtocolError['data']) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The client does not show roots, or no longer does. */
export function rootsNotSupported(): ProtocolError {
  return new ProtocolError(-32_601, 'Roots not supported', {
    reason: 'Client does not have roots capability',
  });
}

/** No root may be shown. The error names none, because a refused server must not learn of them. */
export function rootAccessDenied(): ProtocolError {
  return new ProtocolError(-32_603, 'Root access denied', { reason: 'Insufficient permissions' });
}

export function rootsNotAvailable(reason: string): ProtocolError {
  return new ProtocolError(-32_603, 'Roots not available', { reason });
}

/**
 * Converts an error for the server. It reveals the kind of failure, but never a path that the server was not shown.
 *
 * @example
 * ```ts
 * const error = new RootwardError('INVALID_URI', { uri: 'http://example.com/path', reason: 'Only file:// URIs are supported' });
 * toProtocolError(error).code // → -32602
 * toProtocolError(error).data // → { uri: 'http://example.com/path', reason: 'Only file:// URIs are supported' }
 * toProtocolError(new Error('/secret/place')).data // → { reason: 'an internal error' }
 * ```
 */
export function toProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (RootwardError.is(error, 'INVALID_URI')) {
    const { uri, reason } = error.data;
    return new ProtocolError(-32_602, 'Invalid root URI', { uri, reason });
  }
  if (RootwardError.is(error, 'NO_PERMISSION') || RootwardError.is(error, 'DENIED'))
    return rootAccessDenied();
  if (RootwardError.is(error, 'AUDIT_FAILED')) return rootsNotAvailable('the answer could not be recorded');
  return rootsNotAvailable('an internal error');
}
