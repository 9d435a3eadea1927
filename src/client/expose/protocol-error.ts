import { RootwardError } from '../../errors.ts';

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
