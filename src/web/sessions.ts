import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Who came in with a link, and may come back with a cookie. */
export interface PageSessions {
  /** A secret for one link. It opens one session, once. */
  newToken(): string;
  /** Exchanges the secret of a link for a cookie; `undefined` if it was used before, or never given. */
  redeem(token: string): string | undefined;
  /** What a page with this cookie must send with every change; `undefined` for a cookie that is not valid. */
  proofFor(cookie: string | undefined): string | undefined;
  /** Digests of the cookies, to be kept for a server that takes over. */
  digests(): readonly string[];
}

/** Sessions at the same time; the oldest one goes. */
const mostSessions = 64;
/** Links that nobody has used yet. */
const mostTokens = 16;

/** Only digests are kept: who reads them can open nothing. */
export function createPageSessions(known: readonly string[] = []): PageSessions {
  const tokens = new Set<string>();
  const sessions = new Set(known.slice(-mostSessions));
  return {
    newToken() {
      const token = secret();
      tokens.add(digestOf(token));
      dropOldest(tokens, mostTokens);
      return token;
    },
    redeem(token) {
      if (!tokens.delete(digestOf(token))) return undefined;
      const cookie = secret();
      sessions.add(digestOf(cookie));
      dropOldest(sessions, mostSessions);
      return cookie;
    },
    proofFor(cookie) {
      if (cookie === undefined || !sessions.has(digestOf(cookie))) return undefined;
      return createHmac('sha256', cookie).update('rootward changes').digest('base64url');
    },
    digests: () => [...sessions],
  };
}

/** Takes the same time wherever they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  );
}

/** 256 bits. */
function secret(): string {
  return randomBytes(32).toString('base64url');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function dropOldest(digests: Set<string>, most: number): void {
  for (const digest of digests) {
    if (digests.size <= most) return;
    digests.delete(digest);
  }
}
