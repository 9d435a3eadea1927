import { createHash, timingSafeEqual } from 'node:crypto';

/** Who may come in. */
export interface AccessToken {
  readonly token: string;
  /** Who that is: sessions belong to it. By default each token is somebody else. */
  readonly principal?: string;
}

/** Characters that a token has at least: fewer could be guessed. */
export const shortestToken = 32;

export interface TokenCheck {
  /** The principal; `undefined` for a token that is not valid. */
  (token: string): string | undefined;
}

/** Compares digests, each of them, in constant time: how long it takes tells nothing about any token. */
export function createTokenCheck(tokens: readonly AccessToken[]): TokenCheck {
  const known = tokens.map(({ token, principal }) => {
    const digest = digestOf(token);
    return { digest, principal: principal ?? `token-${digest.toString('hex').slice(0, 16)}` };
  });
  return (token) => {
    const given = digestOf(token);
    let found: string | undefined;
    for (const { digest, principal } of known) if (timingSafeEqual(digest, given)) found = principal;
    return found;
  };
}

/** The token of an `Authorization` header, and of nothing else. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
