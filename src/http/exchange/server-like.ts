import type { ServerResponse } from 'node:http';
import type { ConnectionMemory } from '../../server/connection/connection-memory.ts';
import type { RpcId, RpcMessage } from './json-rpc.ts';

/** A transport as both SDKs, v1 and v2, expect it. */
export interface ServerTransport {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  sessionId?: string | undefined;
  start(): Promise<void>;
  send(message: RpcMessage, options?: RelatedRequest): Promise<void>;
  close(): Promise<void>;
}

export interface RelatedRequest {
  readonly relatedRequestId?: RpcId | undefined;
}

/** The parts of an `McpServer` or `Server` of SDK v1 or v2 that are used here. */
export interface ServerLike {
  // oxlint-disable-next-line typescript/method-signature-style -- a method, so that any transport fits
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
  /** For a server that is used again: whether it has already answered the `initialize` of this session. */
  isInitialized?: boolean;
}

/** Facts about the client, for a server that is built for one request. */
export interface HttpConnection {
  /** `legacy`: a session of 2025-11-25 or earlier. `modern`: 2026-07-28, which has no sessions. */
  readonly era: 'legacy' | 'modern';
  readonly memory: ConnectionMemory;
  readonly sessionId: string | undefined;
  readonly principal: string;
  /** Seals the `requestState` of 2026-07-28, bound to the principal. Pass it to the options of the SDK's server. */
  readonly requestState: {
    readonly seal: (payload: unknown) => string;
    readonly verify: (text: string) => unknown;
  };
}

/**
 * Builds a server for one request. It must be cheap: build schemas and tools once, outside. To serve 2026-07-28 the
 * server must list that revision in its `supportedProtocolVersions`.
 */
export type ServerFactory = (connection: HttpConnection) => ServerLike | Promise<ServerLike>;

/** Builds a server and connects it; closes it again if connecting fails. */
export async function openServer(
  createServer: ServerFactory,
  connection: HttpConnection,
  transport: object,
): Promise<ServerLike> {
  const server = await createServer(connection);
  try {
    // Both SDKs accept any transport with the methods they need; only their types differ.
    await server.connect(transport as never);
    return server;
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

/** Closes a server once its response has been sent or the client has left. Returns false if it has left already. */
export function closeAfter(response: ServerResponse, server: ServerLike): boolean {
  if (response.destroyed) {
    void closeServer(server);
    return false;
  }
  response.once('close', () => void closeServer(server));
  return true;
}

/** Closes a server and ignores errors: no caller depends on it any more. */
export async function closeServer(server: ServerLike): Promise<void> {
  await server.close().catch(() => {});
}
