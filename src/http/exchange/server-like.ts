import type { ServerResponse } from 'node:http';
import type { ConnectionMemory } from '../../server/connection/connection-memory.ts';
import type { RpcId, RpcMessage } from './json-rpc.ts';

/** A transport as the SDKs expect one, v1 and v2. */
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

/** An `McpServer` or `Server` of SDK v1 or v2, as far as it is used. */
export interface ServerLike {
  // oxlint-disable-next-line typescript/method-signature-style -- a method, so that any transport fits
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

/** What a server that is built for one request is told about its client. */
export interface HttpConnection {
  /** `legacy`: a session of 2025 and before. `modern`: 2026-07-28, which has none. */
  readonly era: 'legacy' | 'modern';
  readonly memory: ConnectionMemory;
  readonly sessionId: string | undefined;
  readonly principal: string;
  /** For `requestState` of 2026-07-28: bound to the principal. Goes into the options of the SDK's server. */
  readonly requestState: {
    readonly seal: (payload: unknown) => string;
    readonly verify: (text: string) => unknown;
  };
}

/**
 * Builds a server for one request. It must be cheap: schemas and tools are made once, outside. To serve
 * 2026-07-28 the server lists that revision among its `supportedProtocolVersions`.
 */
export type ServerFactory = (connection: HttpConnection) => ServerLike | Promise<ServerLike>;

/** Builds a server and connects it. One that cannot be connected is closed. */
export async function openServer(
  createServer: ServerFactory,
  connection: HttpConnection,
  transport: object,
): Promise<ServerLike> {
  const server = await createServer(connection);
  try {
    // Either SDK takes a transport that has what it needs; their types for it differ.
    await server.connect(transport as never);
    return server;
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

/** Closes a server when its answer is sent, or nobody waits for one any more. False if that is so already. */
export function closeAfter(response: ServerResponse, server: ServerLike): boolean {
  if (response.destroyed) {
    void closeServer(server);
    return false;
  }
  response.once('close', () => void closeServer(server));
  return true;
}

/** Closes a server that nobody waits for; that it fails to is of no interest. */
export async function closeServer(server: ServerLike): Promise<void> {
  await server.close().catch(() => {});
}
