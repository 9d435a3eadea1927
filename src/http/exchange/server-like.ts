import type { ConnectionMemory } from '../../server/connection/connection-memory.ts';
import type { RpcMessage, RpcId } from './json-rpc.ts';

/** A transport as the SDKs expect one, v1 and v2. */
export interface ServerTransport {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  sessionId?: string | undefined;
  start(): Promise<void>;
  send(message: RpcMessage, options?: SendOptions): Promise<void>;
  close(): Promise<void>;
}

export interface SendOptions {
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
