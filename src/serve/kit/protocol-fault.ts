import { type Fields, fieldsOf } from '../../base/fields.ts';

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
  invalidRequest: -32_600,
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
