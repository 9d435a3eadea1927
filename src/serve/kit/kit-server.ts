import { type Fields, fieldsOf } from '../../base/fields.ts';
import type { CallContext } from '../../server/sdk/call-context.ts';
import type { ProtocolServer } from '../../server/sdk/protocol-server.ts';

/** The protocol part of a ready server: its own for clients with a session, the SDK's from 2026-07-28 on. */
export interface KitServer extends ProtocolServer {
  setRequestHandler(method: string, handler: KitHandler): void;
  // oxlint-disable-next-line typescript/method-signature-style -- a method, so that any transport fits
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  sendToolListChanged(): Promise<void>;
  getClientVersion(): unknown;
  getNegotiatedProtocolVersion(): string | undefined;
}

/** Answers one request. */
export type KitHandler = (request: { readonly params?: unknown }, context: CallContext) => unknown;

/** The answer to `initialize`, without the revision. */
export interface ServerFacts {
  readonly info: Fields;
  readonly instructions: string;
  readonly capabilities: Fields;
  /** Opens state that this server sealed before (2026-07-28). */
  readonly verifyState?: ((text: string) => unknown) | undefined;
}

/** An error that the client gets with this code. */
export class ProtocolFault extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The codes of JSON-RPC, and two that both SDKs use for requests to a client. */
export const faultCodes = {
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  connectionClosed: -32_000,
  timedOut: -32_001,
} as const;

/** The error in a response of a client. */
export function faultIn({ code, message, data }: Fields): ProtocolFault {
  const text = typeof message === 'string' ? message : 'The client refused the request';
  return new ProtocolFault(typeof code === 'number' ? code : faultCodes.internal, text, data);
}

/** The response to a request whose handler failed. */
export function errorOf(error: unknown): Fields {
  const { code, data } = fieldsOf(error);
  const message = error instanceof Error ? error.message : 'Internal error';
  return {
    error: {
      code: Number.isSafeInteger(code) ? code : faultCodes.internal,
      message,
      ...(data !== undefined && { data }),
    },
  };
}
