import { RootwardError } from '../../errors.ts';

/**
 * A client of the SDK, v1 or v2, as far as roots need one. Told by its form: nothing of either SDK is loaded.
 * Parameters are `never` because the two take different ones; `connectPeer` knows which.
 */
export interface RootsClient {
  registerCapabilities(capabilities: never): void;
  setRequestHandler(method: never, handler: never): void;
  notification(message: never): Promise<void>;
  /** There while it is connected. */
  readonly transport?: unknown;
  /** Only v2 knows eras. */
  getProtocolEra?(): string | undefined;
}

/** Answers one request; the signal aborts when nobody waits for the answer any more. */
export type AnswerRoots = (signal: AbortSignal | undefined) => Promise<unknown>;

/** One client, whatever its version. */
export interface ClientPeer {
  /** Puts an answer in place of the one before. */
  answer(answer: AnswerRoots): void;
  /** Tells the server that the list has changed; `false` where that cannot be told: not connected, or 2026. */
  notify(): Promise<boolean>;
  /** Another one for every connection; `undefined` while there is none. */
  connection(): unknown;
}

/**
 * Declares roots for a client and gives a way to answer. A client that is connected can declare nothing any
 * more, so it must have declared roots itself.
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

const undeclared = 'the client is connected already and has not declared roots';

/** Connected, and through with the greeting: a server that has not heard of us has nothing to forget. */
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

/** What v1 takes for a schema of the request: it looks for the method, then has the request parsed. */
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

/** An error as JSON-RPC carries it: both majors of the SDK send `code`, `message` and `data` of what is thrown. */
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

/** The client shows no roots, or no longer. */
export function rootsNotSupported(): ProtocolError {
  return new ProtocolError(-32_601, 'Roots not supported', {
    reason: 'Client does not have roots capability',
  });
}

/** Nothing may be shown. Names no root: whoever is refused one must not learn of it. */
export function rootAccessDenied(): ProtocolError {
  return new ProtocolError(-32_603, 'Root access denied', { reason: 'Insufficient permissions' });
}

export function rootsNotAvailable(reason: string): ProtocolError {
  return new ProtocolError(-32_603, 'Roots not available', { reason });
}

/**
 * What a server is told when its request fails. Of what went wrong here it learns the kind, never a path that
 * it was not shown.
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
